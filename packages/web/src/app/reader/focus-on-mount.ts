/**
 * A ref that focuses an element when it appears. It is one function for all, because a new function is called on each
 * render, and would take the focus back from where the user has moved it.
 */
export function focusOnMount(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true });
}
