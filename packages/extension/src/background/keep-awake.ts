/** Below the 30 seconds without a call of an extension's function after which Chromium ends a service worker. */
const CALL_MS = 20_000;

/**
 * Does work that may wait for long, such as for a page that is slow to read, and keeps the service worker running until
 * it ends.
 *
 * @param call calls any function of the browser, after which it lets the worker live for 30 seconds more ("Longer
 *   extension service worker lifetimes", developer.chrome.com)
 */
export async function keepAwake<Result>(call: () => void, work: () => Promise<Result>): Promise<Result> {
  const timer = setInterval(call, CALL_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
