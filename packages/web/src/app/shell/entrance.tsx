import { Logo } from '@recollect/ui';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { OfflineBanner } from './banners.js';
import { setWindowTitle } from './page-title.js';

interface Props {
  title: string;
  children: ComponentChildren;
}

/**
 * A dialog that covers the window until someone has signed in. The page and even an open dialog stay behind it, since
 * it is modal.
 */
export function Entrance({ title: name, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const [before, title] = [document.activeElement, document.title];
    dialog.current?.showModal();
    setWindowTitle(name);
    return () => {
      document.title = title;
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    // Browsers close a dialog on a repeated Escape, even if the page prevents it.
    <dialog ref={dialog} class="sign-in" aria-label={name} onClose={() => dialog.current?.showModal()}>
      <OfflineBanner />
      <main tabIndex={-1}>
        <h1>
          <Logo /> Recollect
        </h1>
        {children}
      </main>
    </dialog>
  );
}
