import { Button, Logo } from '@recollect/ui';
import { useEffect, useRef, useState } from 'preact/hooks';
import { explain } from '../api/client.js';
import { OfflineBanner } from './banners.js';
import { setWindowTitle } from './page-title.js';
import { failedCode, signInWithCode, signInWithKey } from './pair.js';

/**
 * Asks for an API key or a pairing code, once for this browser. The page and even an open dialog stay behind it:
 * this dialog is modal and covers the window.
 */
export function SignIn() {
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState(failedCode.value?.code ?? '');
  const [problem, setProblem] = useState(failedCode.value?.problem ?? '');
  const signIn = async () => {
    try {
      await (typed.trim().startsWith('rec_') ? signInWithKey(typed) : signInWithCode(typed));
    } catch (error) {
      setProblem(explain(error));
    }
  };
  useEffect(() => {
    const [before, title] = [document.activeElement, document.title];
    dialog.current?.showModal();
    setWindowTitle('Sign in');
    return () => {
      document.title = title;
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    // Browsers close a dialog on a repeated Escape, even if the page prevents it.
    <dialog ref={dialog} class="sign-in" aria-label="Sign in" onClose={() => dialog.current?.showModal()}>
      <OfflineBanner />
      <main tabIndex={-1}>
        <h1>
          <Logo /> Recollect
        </h1>
        <form
          class="form"
          onSubmit={(event) => {
            event.preventDefault();
            void signIn();
          }}
        >
          <p>
            This Recollect needs a code or an API key. <i>Settings → Connect</i> shows a code on a device that is
            connected. On the computer that Recollect runs on, this creates a key:
          </p>
          <pre>recollect keys create</pre>
          <label class="form-field">
            <span>Code or API key</span>
            <input
              class="field"
              type="password"
              autocomplete="off"
              spellcheck={false}
              value={typed}
              aria-invalid={problem !== ''}
              aria-describedby="sign-in-problem"
              onInput={(event) => setTyped(event.currentTarget.value)}
            />
          </label>
          <p id="sign-in-problem" role="alert" class="form-problem">
            {problem}
          </p>
          <div class="form-actions">
            <Button type="submit" variant="primary" icon="key" disabled={typed.trim() === ''}>
              Sign in
            </Button>
          </div>
          <p class="soft">This browser stays signed in for 30 days. The key itself is not kept here.</p>
        </form>
      </main>
    </dialog>
  );
}
