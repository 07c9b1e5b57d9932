/** Opens the options of the extension. The extension of a store is also connected and disconnected there. */
export function openOptions(): void {
  void chrome.runtime.openOptionsPage();
}
