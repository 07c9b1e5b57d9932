/** Milliseconds. */
const CALM = 800;

/**
 * Tells when the window has been before its user for a while, and when it is not: a page that opens this one under the
 * pointer, or takes itself from above it, must not get the click.
 */
export function onceCalm(tell: (isCalm: boolean) => void): void {
  let timer: ReturnType<typeof setTimeout>;
  const wait = () => {
    clearTimeout(timer);
    tell(false);
    if (document.visibilityState === 'visible' && document.hasFocus()) timer = setTimeout(() => tell(true), CALM);
  };
  for (const event of ['focus', 'blur', 'resize'] as const) window.addEventListener(event, wait);
  document.addEventListener('visibilitychange', wait);
  wait();
}
