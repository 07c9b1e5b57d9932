import { Button, Logo } from '@recollect/ui';
import { useEffect, useRef, useState } from 'preact/hooks';
import { client, explain } from '../api/client.js';
import { reportSignedIn } from '../api/connection.js';
import { OfflineBanner } from './banners.js';
import { setWindowTitle } from './page-title.js';

/**
 * Asks for an API key, once for this browser. The page and even an open dialog stay behind it:
 * this dialog is modal and covers the window.
 */
export function SignIn() {
  const dialog = useRef<HTMLDialogElement>(null);
  const [key, setKey] = useState('');
  const [problem, setProblem] = useState('');
  const signIn = async () => {
    try {
      await client('signIn', { body: { apiKey: key, label: describeBrowser() } });
      reportSignedIn();
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
          <p>This Recollect needs an API key. Create one on the computer that it runs on:</p>
          <pre>recollect keys create</pre>
          <label class="form-field">
            <span>API key</span>
            <input
              class="field"
              type="password"
              autocomplete="off"
              spellcheck={false}
              value={key}
              aria-invalid={problem !== ''}
              aria-describedby="sign-in-problem"
              onInput={(event) => setKey(event.currentTarget.value)}
            />
          </label>
          <p id="sign-in-problem" role="alert" class="form-problem">
            {problem}
          </p>
          <div class="form-actions">
            <Button type="submit" variant="primary" icon="key" disabled={key.trim() === ''}>
              Sign in
            </Button>
          </div>
          <p class="soft">This browser stays signed in for 30 days. The key itself is not kept here.</p>
        </form>
      </main>
    </dialog>
  );
}

/** The browser, for the list of sessions. */
function describeBrowser(): string {
  const { userAgent } = navigator;
  const nameIn = (names: Readonly<Record<string, string>>) =>
    Object.entries(names).find(([part]) => userAgent.includes(part))?.[1];
  const browser = nameIn(BROWSERS) ?? 'Browser';
  const system = nameIn(SYSTEMS);
  return system === undefined ? browser : `${browser} on ${system}`;
}

/** Names in user agents, in this order: Edge also names Chrome, and Android also names Linux. */
const BROWSERS = { Edg: 'Edge', OPR: 'Opera', Firefox: 'Firefox', Chrome: 'Chrome', Safari: 'Safari' };
const SYSTEMS = {
  Android: 'Android',
  iPhone: 'iPhone',
  iPad: 'iPad',
  Windows: 'Windows',
  'Mac OS X': 'macOS',
  CrOS: 'ChromeOS',
  Linux: 'Linux',
};
