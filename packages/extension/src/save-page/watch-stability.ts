/** Milliseconds. */
const STABLE_AFTER = 800;

/**
 * Reports true once the window has been visible and focused for a while, and false when it is not. A page that opens
 * this window under the pointer, or uncovers it, must not get the click.
 */
export function watchStability(tell: (isStable: boolean) => void): void {
  let timer: ReturnType<typeof setTimeout>;
  const wait = () => {
    clearTimeout(timer);
    tell(false);
    if (document.visibilityState === 'visible' && document.hasFocus())
      timer = setTimeout(() => tell(true), STABLE_AFTER);
  };
  for (const event of ['focus', 'blur', 'resize'] as const) window.addEventListener(event, wait);
  document.addEventListener('visibilitychange', wait);
  wait();
}
