/** Opens the options of the extension, where one from a browser store is also connected and disconnected. */
export function openOptions(): void {
  void chrome.runtime.openOptionsPage();
}
