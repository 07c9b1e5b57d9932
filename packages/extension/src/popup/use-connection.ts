import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { SetupFile } from '../setup-file.js';
import { keepApiKey, readApiKey } from './api-key.js';
import { type Connected, type Connection, connect } from './connection.js';
import { count } from './count.js';
import { type Delivery, deliverAll } from './deliver.js';
import { listWaiting, remove, type Waiting } from './outbox.js';
import { readSetup } from './setup.js';
import type { Status } from './status-line.js';

/** The connection, which is looked for when the window opens, and what waits for it, which is sent once it is there. */
export function useConnection(tell: (status: Status) => void) {
  const [setup, setSetup] = useState<SetupFile | null | undefined>(undefined);
  const [connection, setConnection] = useState<Connection>({ state: 'checking' });
  const [isLooking, setLooking] = useState(false);
  const [waiting, setWaiting] = useState<readonly Waiting[]>([]);
  const first = useMemo(() => Promise.withResolvers<Connection>(), []);
  const latest = useRef(first.promise);
  // What this window has sent, by key, and what it has saved itself: of that its form tells.
  const deliveries = useRef(new Map<string, Delivery>());
  const own = useRef(new Set<string>());

  const refresh = useCallback(async () => setWaiting(await listWaiting()), []);

  // The file comes with the extension, so that it is read once.
  const file = useMemo(readSetup, []);
  useEffect(() => void file.then(setSetup), [file]);

  /** Sends what waits; gives the connection where it was lost. */
  const flush = useCallback(
    async (connected: Connected): Promise<Connection | null> => {
      const { byKey, lost } = await deliverAll(connected);
      for (const [key, delivery] of byKey) deliveries.current.set(key, delivery);
      if (lost !== null) setConnection(lost);
      const others = [...byKey].filter(([key, { outcome }]) => outcome === 'saved' && !own.current.has(key)).length;
      if (others > 0) tell({ tone: 'good', text: `${count(others, 'capture')} that waited here went to Recollect.` });
      await refresh();
      return lost;
    },
    [refresh, tell],
  );

  /** Looks for the server, and sends what waits. What is known of it stays until more is, so that nothing flickers. */
  const lookFor = useCallback(
    async (apiKey: string | undefined): Promise<Connection> => {
      setLooking(true);
      const state = await connect(await file, apiKey);
      latest.current = Promise.resolve(state);
      first.resolve(state);
      setConnection(state);
      setLooking(false);
      if (state.state !== 'connected') return state;
      // A key is kept once the server takes it.
      if (apiKey !== undefined && state.hasKey) await keepApiKey(apiKey);
      await flush(state);
      return state;
    },
    [file, first, flush],
  );
  const retry = useCallback(async () => void (await lookFor(await readApiKey())), [lookFor]);

  const enterKey = useCallback(async (apiKey: string) => void (await lookFor(apiKey)), [lookFor]);

  const discard = useCallback(
    async (discarded: Waiting) => {
      await remove(discarded);
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
    file,
    connection,
    isLooking,
    waiting,
    refresh,
    retry,
    enterKey,
    discard,
    /** The connection once it is known. */
    whenKnown: useCallback(() => latest.current, []),
    /** Sends a capture of this window, after those that wait before it. */
    sendOwn: useCallback(
      async (connected: Connected, { key }: Waiting): Promise<Delivery> => {
        own.current.add(key);
        const lost = await flush(connected);
        // What waited may have been sent, this capture among it, while the window was opening.
        const kept: Delivery | null = lost === null ? null : { outcome: 'kept', connection: lost, isForAll: true };
        return deliveries.current.get(key) ?? kept ?? { outcome: 'gone' };
      },
      [flush],
    ),
  };
}
