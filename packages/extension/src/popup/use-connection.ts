import { count } from '@recollect/contract/text';
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { readApiKey, storeApiKey } from '../saving/api-key.js';
import { type Connected, type Connection, connect } from '../saving/connection.js';
import { deliverAll } from '../saving/deliver.js';
import { listWaiting, remove, retryRefused, type Waiting } from '../saving/outbox.js';
import type { Delivery, Kept } from '../saving/send.js';
import { readSetup } from '../saving/setup.js';
import type { Status } from '../saving/status.js';
import type { SetupFile } from '../setup-file.js';

/** Connects when the popup opens, then sends the waiting captures. */
export function useConnection(appendStatus: (status: Status) => void) {
  const [setup, setSetup] = useState<SetupFile | null | undefined>(undefined);
  const [connection, setConnection] = useState<Connection>({ state: 'checking' });
  const [isChecking, setChecking] = useState(false);
  const [waiting, setWaiting] = useState<readonly Waiting[]>([]);
  const first = useMemo(() => Promise.withResolvers<Connection>(), []);
  const latest = useRef(first.promise);
  // Deliveries of this window by key, and the keys of its captures, which its form reports.
  const deliveries = useRef(new Map<string, Delivery>());
  const ownKeys = useRef(new Set<string>());

  const refresh = useCallback(async () => setWaiting(await listWaiting()), []);

  // The file is part of the extension, so it is read only once.
  const file = useMemo(readSetup, []);
  useEffect(() => void file.then(setSetup), [file]);

  /** Sends the waiting captures. Returns why some wait on. */
  const flush = useCallback(
    async (connected: Connected): Promise<Kept | null> => {
      const { byKey, stopped } = await deliverAll(connected);
      for (const [key, delivery] of byKey) deliveries.current.set(key, delivery);
      if (stopped !== null) setConnection(stopped.connection);
      const others = [...byKey].filter(([key]) => !ownKeys.current.has(key)).map(([, { outcome }]) => outcome);
      const sent = others.filter((outcome) => outcome === 'saved').length;
      if (sent > 0) appendStatus({ tone: 'good', text: `${count(sent, 'waiting capture')} sent to Recollect.` });
      const refused = others.filter((outcome) => outcome === 'refused').length;
      if (refused > 0)
        appendStatus({ tone: 'bad', text: `${count(refused, 'waiting capture')} refused. The reasons are below.` });
      // A capture of this window says so itself.
      if (stopped?.reason !== undefined && ownKeys.current.size === 0)
        appendStatus({ tone: 'kept', text: `Captures still wait: ${stopped.reason}` });
      await refresh();
      return stopped;
    },
    [refresh, appendStatus],
  );

  /** Connects and sends the waiting captures. The previous state stays until the new one is known, to avoid flicker. */
  const checkConnection = useCallback(
    async (apiKey: string | undefined): Promise<Connection> => {
      setChecking(true);
      const state = await connect(await file, apiKey);
      latest.current = Promise.resolve(state);
      first.resolve(state);
      setConnection(state);
      setChecking(false);
      if (state.state !== 'connected') return state;
      // A key is stored only after the server has accepted it.
      if (apiKey !== undefined && state.hasKey) await storeApiKey(apiKey);
      await flush(state);
      return state;
    },
    [file, first, flush],
  );
  const retry = useCallback(async () => void (await checkConnection(await readApiKey())), [checkConnection]);

  const sendWaiting = useCallback(async () => {
    await retryRefused();
    await retry();
  }, [retry]);

  const enterKey = useCallback(async (apiKey: string) => void (await checkConnection(apiKey)), [checkConnection]);

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
    /** Undefined until the file has been read. */
    setup,
    file,
    connection,
    isLooking: isChecking,
    waiting,
    refresh,
    retry,
    sendWaiting,
    enterKey,
    discard,
    /** The connection once it is known. */
    latestConnection: useCallback(() => latest.current, []),
    /** Sends a capture of this window, after those that were already waiting. */
    sendCapture: useCallback(
      async (connected: Connected, { key }: Waiting): Promise<Delivery> => {
        ownKeys.current.add(key);
        const stopped = await flush(connected);
        // The flush when the popup opened may already have sent this capture.
        return deliveries.current.get(key) ?? stopped ?? { outcome: 'gone' };
      },
      [flush],
    ),
  };
}
