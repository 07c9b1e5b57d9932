import { Button } from '@recollect/ui';
import { useEffect, useState } from 'preact/hooks';
import { PageOptions } from '../options/page-options.js';
import { Header } from '../popup/header.js';
import { readSetup } from '../saving/setup.js';
import type { SetupFile } from '../setup-file.js';
import { disconnect, originPattern, pair } from './pair.js';
import { readTarget } from './read-target.js';

/**
 * Connects the extension of a store to a deployment, and disconnects it. It is not in the popup, which closes
 * when the browser asks for a permission, and when the user fetches the code from another tab.
 */
export function Connect() {
  // Undefined until it has been read.
  const [setup, setSetup] = useState<SetupFile | null | undefined>(undefined);
  useEffect(() => void readSetup().then(setSetup), []);
  const leave = async (former: SetupFile) => {
    await disconnect(former);
    setSetup(null);
  };
  return (
    <>
      <Header />
      <main>
        {setup === null && <PairingForm onPaired={setSetup} />}
        {setup && <Connected setup={setup} onDisconnect={() => void leave(setup)} />}
        {setup && <PageOptions />}
      </main>
    </>
  );
}

function PairingForm({ onPaired }: { onPaired: (setup: SetupFile) => void }) {
  const [address, setAddress] = useState('');
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState('');
  const target = readTarget(address, code);
  const hasLink = code === '' && target !== null && target.code !== '';

  const connect = async () => {
    if (target === null) return setProblem('Enter the link, or the address of your Recollect.');
    try {
      // First of all: browsers ask only in answer to a click.
      const isGranted = await chrome.permissions.request({ origins: [originPattern(target.baseUrl)] });
      if (!isGranted) return setProblem('The extension needs the permission to reach your Recollect.');
      onPaired(await pair(target));
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };

  return (
    <form
      class="notice"
      aria-label="Connect to your Recollect"
      onSubmit={(event) => {
        event.preventDefault();
        void connect();
      }}
    >
      <p>
        In your Recollect, open <i>Settings → Connect</i>, and press <i>Create a code</i> below <i>Browser extension</i>
        . Paste the link here, or enter the address and the code. The browser then asks whether the extension may reach
        that address.
      </p>
      <label class="labelled">
        <span>Link or address</span>
        <input
          class="field"
          value={address}
          placeholder="https://"
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => setAddress(event.currentTarget.value)}
        />
      </label>
      <label class="labelled">
        <span>{hasLink ? 'Code (in the link)' : 'Code or API key'}</span>
        <input
          class="field"
          value={code}
          autocomplete="off"
          spellcheck={false}
          aria-describedby="problem"
          onInput={(event) => setCode(event.currentTarget.value)}
        />
      </label>
      <p id="problem" role="alert">
        {problem}
      </p>
      <Button type="submit" variant="primary" disabled={target === null || target.code === ''}>
        Connect
      </Button>
    </form>
  );
}

function Connected({ setup, onDisconnect }: { setup: SetupFile; onDisconnect: () => void }) {
  const { baseUrl } = setup.connection;
  return (
    <div class="notice">
      <p role="status">
        Connected to <b>{new URL(baseUrl).host}</b>. Press the toolbar button on a page to save it.
      </p>
      <p>
        To end its access, revoke its key in{' '}
        <a href={`${baseUrl}/settings/connect`} target="_blank" rel="noreferrer">
          Settings → Connect
        </a>
        .
      </p>
      <Button onClick={onDisconnect}>Disconnect</Button>
    </div>
  );
}
