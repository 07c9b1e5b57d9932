import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { SetupFile } from '../setup-file.js';
import { forgetApiKey, keepApiKey, readApiKey } from './api-key.js';
import { type Connection, connect } from './connection.js';
import { deliverAll } from './deliver.js';
import { listWaiting, remove, type Waiting } from './outbox.js';
import { readSetup } from './setup.js';
import type { Status } from './status-line.js';

/** The connection, which is looked for when the window opens, and what waits for it, which is sent once it is there. */
export function useConnection(tell: (status: Status) => void) {
  const [setup, setSetup] = useState<SetupFile | null | undefined>(undefined);
  const [connection, setConnection] = useState<Connection>({ state: 'checking' });
  const [waiting, setWaiting] = useState<readonly Waiting[]>([]);
  const current = useRef<Promise<Connection>>(Promise.resolve(connection));

  const refresh = useCallback(async () => setWaiting(await listWaiting()), []);

  // The file comes with the extension, so that it is read once.
  const file = useMemo(readSetup, []);
  useEffect(() => void file.then(setSetup), [file]);

  const look = useCallback(
    async (apiKey: string | undefined): Promise<Connection> => {
      const state = await connect(await file, apiKey);
      setConnection(state);
      return state;
    },
    [file],
  );

  /** Looks for the server, and sends what waits. */
  const retry = useCallback(async () => {
    setConnection({ state: 'checking' });
    const looking = readApiKey().then(look);
    current.current = looking;
    const state = await looking;
    if (state.state === 'connected') {
      const { sent, connection: lost } = await deliverAll(state);
      if (lost !== null) setConnection(lost);
      if (sent > 0)
        tell({
          tone: 'good',
          text: `${sent} ${sent === 1 ? 'capture' : 'captures'} that waited here went to Recollect.`,
        });
    }
    await refresh();
  }, [look, refresh, tell]);

  const enterKey = useCallback(
    async (apiKey: string) => {
      await keepApiKey(apiKey);
      await retry();
      // One that is refused is of no use, and would be sent with every request.
      const state = await current.current;
      if (state.state === 'key-needed') await forgetApiKey();
    },
    [retry],
  );

  const discard = useCallback(
    async (id: string) => {
      await remove(id);
      await refresh();
    },
    [refresh],
  );

  useEffect(() => {
    void refresh();
    void retry();
  }, [refresh, retry]);

  return {
    /** Undefined until it was looked for. */
    setup,
    connection,
    waiting,
    refresh,
    retry,
    enterKey,
    discard,
    setConnection,
    /** The connection once it is known. */
    whenKnown: useCallback(() => current.current, []),
  };
}
