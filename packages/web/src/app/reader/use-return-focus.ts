import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** Gives the focus back to the button that opens an editor when the editor closes, unless it has gone elsewhere. */
export function useReturnFocus(isEditing: boolean): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(false);
  useLayoutEffect(() => {
    if (wasEditing.current && !isEditing && document.activeElement === document.body) button.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);
  return button;
}

/**
 * A ref that focuses an element when it appears. It is one function for all, because a new function is called on each
 * render, and would take the focus back from where the user has moved it.
 */
export function focusOnMount(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true });
}
