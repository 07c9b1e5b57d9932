import { Button } from '@recollect/ui';
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';

interface Props {
  title: string;
  onClose: () => void;
  /** Whether the title is only for screen readers. */
  hidesTitle?: boolean;
  class?: string;
  children: ComponentChildren;
}

const FIELDS = 'input, textarea, select';

/**
 * A modal dialog. The focus goes to the element with `data-first`, or else to the first field. Escape and a click
 * beside it close it, and the focus goes back to where it was.
 */
export function Dialog({ title, onClose, hidesTitle = false, class: extra = '', children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Before the browser paints, so that the next keys go to the dialog.
  useLayoutEffect(() => {
    const before = document.activeElement;
    const element = dialog.current;
    element?.showModal();
    // Otherwise the browser focuses the button that closes the dialog.
    (element?.querySelector<HTMLElement>('[data-first]') ?? element?.querySelector<HTMLElement>(FIELDS))?.focus();
    return () => {
      // While it is open, nothing else can have the focus.
      element?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same, and the browser handles it.
    <dialog
      ref={dialog}
      class={`dialog ${extra}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClose={({ currentTarget }) => {
        // Browsers close a dialog at the second Escape, even if the page prevented the first.
        if (currentTarget.isConnected && !currentTarget.open) currentTarget.showModal();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <div class="dialog-content">
        <header class={hidesTitle ? 'hidden' : 'dialog-head'}>
          <h2 id={id}>{title}</h2>
          {!hidesTitle && <Button variant="quiet" icon="close" aria-label="Close" onClick={onClose} />}
        </header>
        {children}
      </div>
    </dialog>
  );
}
