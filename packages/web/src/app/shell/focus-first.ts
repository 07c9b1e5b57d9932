/** Focuses an element when it appears. As one function, it is not called again when its component renders again. */
export function focusFirst(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true });
}
