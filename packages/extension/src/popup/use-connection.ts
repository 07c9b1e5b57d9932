import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { SetupFile } from '../setup-file.js';
import { keepApiKey, readApiKey } from './api-key.js';
import { type Connection, connect } from './connection.js';
import { count } from './count.js';
import { deliverAll } from './deliver.js';
import { listWaiting, remove, type Waiting } from './outbox.js';
import { readSetup } from './setup.js';
import type { Status } from './status-line.js';

/** The connection, which is looked for when the window opens, and what waits for it, which is sent once it is there. */
export function useConnection(tell: (status: Status) => void) {
  const [setup, setSetup] = useState<SetupFile | null | undefined>(undefined);
  const [connection, setConnection] = useState<Connection>({ state: 'checking' });
  const [isLooking, setLooking] = useState(false);
  const [waiting, setWaiting] = useState<readonly Waiting[]>([]);
  const current = useRef<Promise<Connection>>(Promise.resolve(connection));

  const refresh = useCallback(async () => setWaiting(await listWaiting()), []);

  // The file comes with the extension, so that it is read once.
  const file = useMemo(readSetup, []);
  useEffect(() => void file.then(setSetup), [file]);

  /** Looks for the server, and sends what waits. What is known of it stays until more is, so that nothing flickers. */
  const lookFor = useCallback(
    (apiKey: string | undefined): Promise<Connection> => {
      setLooking(true);
      current.current = file.then((setup) => connect(setup, apiKey));
      return current.current.then(async (state) => {
        setConnection(state);
        setLooking(false);
        if (state.state === 'connected') {
          const { sent, lost } = await deliverAll(state);
          if (lost !== null) setConnection(lost);
          if (sent > 0) tell({ tone: 'good', text: `${count(sent, 'capture')} that waited here went to Recollect.` });
        }
        await refresh();
        return state;
      });
    },
    [file, refresh, tell],
  );
  const retry = useCallback(async () => void (await lookFor(await readApiKey())), [lookFor]);

  /** A key is kept once the server takes it. */
  const enterKey = useCallback(
    async (apiKey: string) => {
      const state = await lookFor(apiKey);
      if (state.state === 'connected' && state.hasKey) await keepApiKey(apiKey);
    },
    [lookFor],
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
    isLooking,
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
