/** Chromium stops a service worker after 30 seconds without an extension API call. */
const CALL_MS = 20_000;

/**
 * Keeps the service worker alive during long work, such as reading a slow page.
 *
 * @param call calls any extension API, which resets the idle timer ("Longer extension service worker lifetimes",
 *   developer.chrome.com)
 */
export async function keepAwake<Result>(call: () => void, work: () => Promise<Result>): Promise<Result> {
  const timer = setInterval(call, CALL_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
