import { Button } from '@recollect/ui';
import { useState } from 'preact/hooks';
import type { Connection } from '../saving/connection.js';
import { isFromStore } from '../saving/setup.js';
import type { SetupFile } from '../setup-file.js';
import { openOptions } from './open-options.js';

interface Props {
  connection: Connection;
  setup: SetupFile | null | undefined;
  onKey: (apiKey: string) => Promise<void>;
  onRetry: () => Promise<void>;
}

const LABELS: Readonly<Record<Connection['state'], string>> = {
  checking: 'Connecting',
  connected: 'Connected',
  'key-needed': 'Key needed',
  'wrong-server': 'Wrong server',
  off: 'Not reachable',
  'no-setup': 'Not set up',
};

/** The connection state. */
export function ConnectionBadge({
  connection,
  isLooking: isChecking,
}: Pick<Props, 'connection'> & { isLooking: boolean }) {
  const state = isChecking ? 'checking' : connection.state;
  const host = 'host' in connection ? connection.host : '';
  return (
    <p class={`connection ${state}`} title={host}>
      {LABELS[state]}
      {state === 'connected' && <span class="hidden"> to {host}</span>}
    </p>
  );
}

/** Advice when there is no connection. It is below the rest, so that nothing moves when it appears. */
export function ConnectionNote({ connection, setup, onKey, onRetry }: Props) {
  const { state } = connection;
  const host = 'host' in connection ? connection.host : '';
  const retry = <Button onClick={() => void onRetry()}>Try again</Button>;
  return (
    <>
      {state === 'key-needed' && <KeyField host={host} isRefused={connection.isRefused} onKey={onKey} />}
      {state === 'off' && (
        <div class="notice">
          <p>
            Nothing answers at <b>{host}</b>. Start Recollect there.
          </p>
          {retry}
        </div>
      )}
      {state === 'wrong-server' && (
        <div class="notice">
          <p>
            The server at <b>{host}</b> is not{' '}
            {isFromStore()
              ? 'Recollect. Start Recollect there, or connect to another address.'
              : 'the Recollect that this extension came from. Download the extension again from your Recollect.'}
          </p>
          {retry}
        </div>
      )}
      {state === 'no-setup' && setup === null && (
        <div class="notice">
          <p>The setup file is missing. Download the extension from your Recollect, and load the whole folder.</p>
        </div>
      )}
      {isFromStore() && (state === 'key-needed' || state === 'wrong-server') && (
        <Button onClick={openOptions}>Change the connection</Button>
      )}
    </>
  );
}

function KeyField({ host, isRefused, onKey }: { host: string; isRefused: boolean; onKey: Props['onKey'] }) {
  const [typed, setTyped] = useState('');
  const onSubmit = (event: Event) => {
    event.preventDefault();
    if (typed.trim() !== '') void onKey(typed.trim());
  };
  return (
    <form class="notice" onSubmit={onSubmit}>
      <p>
        {isRefused ? 'That key is not valid at ' : 'An API key is required at '}
        <b>{host}</b>. Create one there with <code>recollect keys create</code>.
      </p>
      <label class="key">
        <span class="hidden">API key</span>
        <input
          class="field"
          type="password"
          value={typed}
          onInput={(event) => setTyped((event.target as HTMLInputElement).value)}
          placeholder="rec_…"
          autocomplete="off"
          spellcheck={false}
        />
        <Button type="submit">Connect</Button>
      </label>
    </form>
  );
}
