const FOCUSABLE = 'a[href], button, input, select, textarea';
/** The list of memories moves its own cursor, and the reader its own focus. */
const WITHIN = '.page, .selection-bar';

/**
 * Keeps the focus in place when the focused element is removed, such as the row of a restored memory: focuses the same
 * control in the row that took its place, or else the nearest control. Otherwise the browser would focus the body,
 * where the next key is a shortcut and the next Tab starts at the top of the page.
 */
export function keepFocus(root: HTMLElement): void {
  let held: { element: Element; address: string } | null = null;
  root.addEventListener('focusin', ({ target }) => {
    const isWithin = target instanceof Element && target.closest(WITHIN) !== null;
    held = isWithin ? { element: target, address: location.href } : null;
  });
  root.addEventListener('focusout', ({ target, relatedTarget }) => {
    if (relatedTarget !== null) return;
    // Chromium also reports an element that is being removed as connected.
    queueMicrotask(() => {
      if (held?.element === target && held.element.isConnected) held = null;
    });
  });
  new MutationObserver((records) => {
    if (held === null || held.element.isConnected) return;
    const { element, address } = held;
    held = null;
    if (document.activeElement !== document.body || location.href !== address) return;
    for (const { removedNodes, nextSibling, previousSibling, target } of records) {
      const gone = [...removedNodes].find((node) => node.contains(element));
      if (!(gone instanceof Element)) continue;
      const index = controlsIn(gone).indexOf(element);
      const near = [nextSibling, previousSibling, target].flatMap((node) =>
        node instanceof Element && node.isConnected ? controlsIn(node) : [],
      );
      const beside = nextSibling instanceof Element ? nextSibling : previousSibling;
      const same = beside instanceof Element && beside.isConnected ? controlsIn(beside)[index] : undefined;
      focusFirst([same, ...near]);
      return;
    }
  }).observe(root, { childList: true, subtree: true });
}

/** The controls in an element, itself included. */
function controlsIn(element: Element): Element[] {
  return [...(element.matches(FOCUSABLE) ? [element] : []), ...element.querySelectorAll(FOCUSABLE)];
}

/** Focuses the first of these that takes the focus, or else the page. */
function focusFirst(controls: readonly (Element | undefined)[]): void {
  for (const control of controls) {
    if (!(control instanceof HTMLElement)) continue;
    control.focus({ preventScroll: true });
    if (document.activeElement === control) return;
  }
  document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true });
}
