/** Sends something. If this window is closed before the answer, the service worker sends what waits. */
export async function safeToClose<T>(send: () => Promise<T>): Promise<T> {
  const port = chrome.runtime.connect();
  const answer = await send();
  try {
    port.postMessage('answered');
    port.disconnect();
  } catch {
    // The browser has ended the service worker meanwhile.
  }
  return answer;
}
