import { Button } from '@recollect/ui';
import { useState } from 'preact/hooks';
import { addressOf } from '../api/base-path.js';
import { client, explain } from '../api/client.js';
import { useResource } from '../state/use-resource.js';
import { Entrance } from './entrance.js';
import { failedCode, signInWithCode, signInWithKey } from './pair.js';
import { signInWithPasskey, takeSignInFailure } from './passkey.js';

/** Asks for a passkey, an API key or a pairing code, once for this browser. */
export function SignIn() {
  const { value: state } = useResource(() => client('sessionState', {}));
  const [typed, setTyped] = useState(failedCode.value?.code ?? '');
  const [problem, setProblem] = useState(() => takeSignInFailure() ?? failedCode.value?.problem ?? '');
  const attempt = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      setProblem(explain(error));
    }
  };
  const signIn = () => attempt(() => (typed.trim().startsWith('rec_') ? signInWithKey(typed) : signInWithCode(typed)));
  return (
    <Entrance title="Sign in">
      {state?.hasAccounts === true && (
        <div class="form">
          <div class="form-actions">
            {state.provider !== null && (
              <a class="button primary" href={addressOf('/sign-in')}>
                Sign in with {state.provider}
              </a>
            )}
            <Button variant="primary" icon="key" onClick={() => void attempt(signInWithPasskey)}>
              Sign in with a passkey
            </Button>
          </div>
        </div>
      )}
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
    </Entrance>
  );
}
