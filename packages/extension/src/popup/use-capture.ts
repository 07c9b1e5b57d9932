import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Reading, ReadingMode } from '../reading.js';
import type { SetupFile } from '../setup-file.js';
import type { Connection } from './connection.js';
import { deliver, send } from './deliver.js';
import { keep, OutboxFullError } from './outbox.js';
import { readTab, type TabReading } from './read-tab.js';
import { receipt } from './receipt.js';
import type { Status } from './status-line.js';
import { type Additions, sizeProblem, toCapture } from './to-capture.js';

/** Milliseconds: how often a conversation that is being written is read again, and how long saving waits for its end. */
const STREAMING = { every: 700, longest: 60_000 };

interface Needs {
  setup: SetupFile | null | undefined;
  connection: Connection;
  whenKnown: () => Promise<Connection>;
  setConnection: (connection: Connection) => void;
  refresh: () => Promise<void>;
  tell: (status: Status) => void;
  /** Without taking away what is told already. */
  tellToo: (status: Status) => void;
}

/** The page of the present tab, and how it is saved. */
export function useCapture({ setup, connection, whenKnown, setConnection, refresh, tell, tellToo }: Needs) {
  const [page, setPage] = useState<TabReading | null>(null);
  const [mode, setMode] = useState<ReadingMode | null>(null);
  const [savedAt, setSavedAt] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const reading = useRef<Promise<TabReading>>(null);
  const saving = useRef(false);

  const read = useCallback(async () => {
    reading.current = readTab(setup ?? null);
    const found = await reading.current;
    setPage(found);
    return found;
  }, [setup]);

  useEffect(() => {
    if (setup === undefined) return;
    void read().then((found) => {
      if ('problem' in found) tellToo({ tone: 'bad', text: found.problem });
    });
  }, [setup, read, tellToo]);

  // A conversation that is being written grows under the user's eyes.
  const isStreaming = page !== null && 'reading' in page && page.reading.isStreaming;
  useEffect(() => {
    if (!isStreaming || isBusy) return;
    const timer = setInterval(() => void read(), STREAMING.every);
    return () => clearInterval(timer);
  }, [isStreaming, isBusy, read]);

  const url = page !== null && 'reading' in page ? page.reading.url : null;
  useEffect(() => {
    if (url === null || connection.state !== 'connected') return;
    connection.client('lookupMemories', { body: { urls: [url] } }).then(
      ({ found: [found] }) => setSavedAt(found?.capturedAt ?? null),
      // Whether it is known already is a courtesy; without an answer nothing is said.
      () => {},
    );
  }, [url, connection]);

  const whenComplete = async (first: Reading): Promise<Reading> => {
    let present = first;
    const end = Date.now() + STREAMING.longest;
    while (present.isStreaming && Date.now() < end) {
      tell({ tone: 'busy', text: 'Waiting until the answer is written …' });
      await new Promise((resolve) => setTimeout(resolve, STREAMING.every));
      const next = await read();
      if (!('reading' in next)) break;
      present = next.reading;
    }
    return present;
  };

  const sendReading = async (given: Reading, additions: Additions) => {
    const present = mode === null || mode === 'conversation' ? await whenComplete(given) : given;
    const used = mode ?? present.smart ?? 'page';
    const capture = toCapture(present, used, additions, chrome.runtime.getManifest().version);
    const tooLarge = sizeProblem(capture);
    if (tooLarge !== null) return tell({ tone: 'bad', text: tooLarge });
    tell({ tone: 'busy', text: 'Sending …' });
    // Into the outbox first, so that neither closing the window nor the server's end loses it.
    const waiting = await keep(capture).catch((error: OutboxFullError) => error);
    const known = await whenKnown();
    if (known.state !== 'connected') {
      if (waiting instanceof Error) throw waiting;
      return tell(receipt.kept(known));
    }
    const isKept = !(waiting instanceof Error);
    const delivery = isKept ? await deliver(known, waiting) : await send(known, crypto.randomUUID(), capture);
    if (delivery.outcome !== 'saved' && !isKept) throw waiting;
    if (delivery.outcome === 'saved') {
      tell(receipt.saved(delivery.result, { reading: present, mode: used, savedAt }));
    } else if (delivery.outcome === 'kept') {
      setConnection(delivery.connection);
      tell(receipt.kept(delivery.connection));
    } else {
      tell({ tone: 'bad', text: `Recollect does not take this page: ${delivery.reason}` });
    }
  };

  const save = async (additions: Additions) => {
    // The state is that of the last drawing, and clicks come faster.
    if (saving.current) return;
    saving.current = true;
    setBusy(true);
    try {
      tell({ tone: 'busy', text: 'Reading the page …' });
      const found = (await reading.current) ?? (await read());
      if ('problem' in found) tell({ tone: 'bad', text: found.problem });
      else await sendReading(found.reading, additions);
    } catch (error) {
      const text =
        error instanceof OutboxFullError
          ? 'The browser has no room left to keep this page. Export or send what waits below, then try again.'
          : `The page was not sent: ${String(error)}`;
      tell({ tone: 'bad', text });
    } finally {
      await refresh();
      saving.current = false;
      setBusy(false);
    }
  };

  return { page, mode, setMode, savedAt, isBusy, save };
}
