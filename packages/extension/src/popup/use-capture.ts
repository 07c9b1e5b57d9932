import type { Capture } from '@recollect/contract';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Pictures } from '../pictures/pictures.js';
import { picturesSoon } from '../pictures/pictures-soon.js';
import type { Reading, ReadingMode } from '../reading.js';
import type { Connected, Connection } from '../saving/connection.js';
import { holdDelivery } from '../saving/deliver.js';
import { readDraft, saveDraft } from '../saving/draft.js';
import { enqueue, OutboxFullError, replaceEntry, type Waiting } from '../saving/outbox.js';
import { rememberScope } from '../saving/page-scope.js';
import { readAgain, readUntilWritten } from '../saving/read-again.js';
import { readPictures } from '../saving/read-pictures.js';
import { readTab, type TabReading } from '../saving/read-tab.js';
import { type Known, receipt } from '../saving/receipt.js';
import { type Delivery, send } from '../saving/send.js';
import { messageOf, type Status } from '../saving/status.js';
import {
  type Additions,
  continueDraft,
  NO_ADDITIONS,
  problemOf,
  toCapture,
  withPictures,
} from '../saving/to-capture.js';
import { startWindowWork, type WindowWork } from '../saving/window-work.js';
import type { SetupFile } from '../setup-file.js';

interface CaptureOptions {
  file: Promise<SetupFile | null>;
  connection: Connection;
  latestConnection: () => Promise<Connection>;
  sendCapture: (connected: Connected, waiting: Waiting) => Promise<Delivery>;
  refresh: () => Promise<void>;
  showStatus: (status: Status) => void;
  /** Adds to the current status instead of replacing it. */
  appendStatus: (status: Status) => void;
}

/** A capture that this window has saved. */
interface Saved {
  id: string;
  /** Whether it is a new memory, which can be taken back. */
  isNew: boolean;
  additions: Additions;
  /** The memory of the address before it. */
  before: Known | null;
}

/** Reads the page of the current tab and saves it. */
export function useCapture({
  file,
  connection,
  latestConnection,
  sendCapture,
  refresh,
  showStatus,
  appendStatus,
}: CaptureOptions) {
  const [page, setPage] = useState<TabReading | null>(null);
  const [mode, setMode] = useState<ReadingMode | null>(null);
  const [additions, setAdditions] = useState<Additions>(NO_ADDITIONS);
  /** The current content of the fields; a capture that is being sent has their earlier content. */
  const latest = useRef(NO_ADDITIONS);
  const [known, setKnown] = useState<Known | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [saved, setSaved] = useState<Saved | null>(null);
  /** Whether the capture has been saved as the fields have it. */
  const [isSaved, setIsSaved] = useState(false);
  const first = useRef<Promise<TabReading>>(null);
  const saving = useRef(false);
  const tabId = useRef<number>(null);
  const { pictures, makePictures, awaitPictures, leaveOutPicture } = usePictures();

  const read = useCallback(() => {
    first.current ??= file.then(readTab).then((found) => {
      setPage(found);
      if ('reading' in found) makePictures();
      if ('problem' in found) appendStatus({ tone: found.tone, text: found.problem });
      return found;
    });
    return first.current;
  }, [file, appendStatus, makePictures]);

  useEffect(() => void read(), [read]);

  useEffect(() => {
    void chrome.tabs.query({ active: true, currentWindow: true }).then(([tab]) => {
      tabId.current = tab?.id ?? null;
    });
  }, []);

  /** Reads the conversation again after a pause, and shows it; null when it cannot be read or the page has changed. */
  const followReading = useCallback(
    async (before: Reading): Promise<Reading | null> => {
      const grown = await readAgain(before, await file);
      if (grown !== null) setPage({ reading: grown });
      return grown;
    },
    [file],
  );

  // Keeps the preview up to date while a conversation is being written.
  const reading = page !== null && 'reading' in page ? page.reading : null;
  useEffect(() => {
    if (reading?.isStreaming && !isBusy) void followReading(reading);
  }, [reading, isBusy, followReading]);

  /** Saves the article of the page or all of its text, here and on other pages of the site. */
  const setScope = (scope: Reading['scope']) => {
    if (reading === null) return;
    setPage({ reading: { ...reading, scope } });
    setIsSaved(false);
    void rememberScope(reading, scope);
  };

  /** Saves the comments beside the text of this page, or leaves them out. */
  const keepComments = (keepsComments: boolean) => {
    if (reading === null) return;
    setPage({ reading: { ...reading, keepsComments } });
    setIsSaved(false);
  };

  const url = reading?.url ?? null;
  /**
   * The page whose draft has been read.
   * Text typed before that is not kept as a draft, since it would be read as an older one.
   */
  const drafted = useRef<string>(null);
  const joining = useRef<Promise<void>>(null);

  /** Joins the draft of the page with the text typed before it could be read. The window does it once. */
  const joinDraft = useCallback((page: string) => {
    joining.current ??= readDraft(page).then(async (draft) => {
      drafted.current = page;
      const typed = latest.current;
      const whole = continueDraft(draft ?? NO_ADDITIONS, typed);
      if (draft !== undefined) {
        latest.current = whole;
        setAdditions(whole);
      }
      // Without the address of the page, it could not be kept.
      if (typed !== NO_ADDITIONS) await saveDraft(page, whole);
    });
    return joining.current;
  }, []);

  useEffect(() => {
    if (url !== null) void joinDraft(url);
  }, [url, joinDraft]);

  useEffect(() => {
    if (url === null || connection.state !== 'connected') return;
    connection.client('lookupMemories', { body: { urls: [url] } }).then(
      ({ found: [found] }) => setKnown(found ?? null),
      // "Already saved" is only a courtesy, so a failed lookup is ignored.
      () => {},
    );
  }, [url, connection]);

  const edit = (next: Additions) => {
    latest.current = next;
    setAdditions(next);
    setIsSaved(false);
    if (url !== null && drafted.current === url) void saveDraft(url, next);
  };

  /** Sends all waiting captures, including this one. If the outbox had no space for it, sends it directly. */
  const sendNow = async (waiting: Waiting | OutboxFullError, capture: Capture): Promise<Delivery> => {
    const state = await latestConnection();
    if (state.state !== 'connected') {
      if (waiting instanceof Error) throw waiting;
      return { outcome: 'kept', connection: state, affectsAll: true };
    }
    if (waiting instanceof Error) {
      const delivery = await send(state, crypto.randomUUID(), capture);
      if (delivery.outcome !== 'saved') throw waiting;
      return delivery;
    }
    return sendCapture(state, waiting);
  };

  const saveReading = async (given: Reading, tell: (work: WindowWork) => void) => {
    const used = mode ?? given.smart ?? 'page';
    // The draft of an earlier window belongs to this capture, also if the page became known only now.
    await joinDraft(given.url);
    const additions = latest.current;
    const { version } = chrome.runtime.getManifest();
    let shown = pictures;
    const make = (present: Reading) =>
      withPictures(toCapture({ ...present, smart: given.smart }, used, additions, version), shown ?? {});
    let present = given;
    let capture = make(present);
    const problem = problemOf(capture);
    if (problem !== null) return showStatus({ tone: 'bad', text: problem });
    const tellWaiting = (entry: Waiting | OutboxFullError) => {
      if (!(entry instanceof Error)) tell({ stage: 'waiting', key: entry.key, url: given.url, additions });
    };
    // Into the outbox first, so that neither a closed popup nor a stopped server loses it.
    let waiting = await holdDelivery(async (isHeld) => {
      const first = await enqueue(capture).catch((error: OutboxFullError) => error);
      tellWaiting(first);
      // If it is being sent already, it goes without pictures.
      if (shown !== null || !isHeld) return first;
      shown = await awaitPictures();
      capture = make(present);
      return first instanceof Error ? first : replaceEntry(first, capture);
    });
    tellWaiting(waiting);
    if (used === 'conversation' && present.isStreaming)
      showStatus({ tone: 'busy', text: 'Waiting until the answer is written. Leave this window open …' });
    for await (const grown of readUntilWritten(present, used, followReading)) {
      present = grown;
      capture = make(present);
      if (!(waiting instanceof Error)) waiting = await replaceEntry(waiting, capture);
      tellWaiting(waiting);
    }
    showStatus({ tone: 'busy', text: 'Sending … Closing this window is safe.' });
    const delivery = await sendNow(waiting, capture);
    showStatus(receipt(delivery, { reading: present, mode: used, known }));
    if (delivery.outcome === 'refused') return;
    // Text typed during sending belongs to the next capture.
    if (latest.current === additions) {
      edit(NO_ADDITIONS);
      // When the button was pressed, the address may not have been known.
      void saveDraft(given.url, NO_ADDITIONS);
    }
    if (delivery.outcome === 'saved') {
      const { id, title } = delivery.result;
      const { url } = given;
      const now = new Date().toISOString();
      const isNew = delivery.result.status === 'created';
      if (isNew) setKnown({ url, id, title, capturedAt: now, lastCapturedAt: now });
      setSaved({ id, isNew, additions, before: known });
      // Text typed during sending has yet to be saved.
      setIsSaved(latest.current === NO_ADDITIONS);
    }
  };

  const save = async () => {
    // State only changes with the next render, and a second click can come earlier.
    if (saving.current) return;
    saving.current = true;
    setBusy(true);
    const tell = startWindowWork();
    try {
      // Text typed since the page is known is in its draft.
      const typed = url !== null && drafted.current === url ? NO_ADDITIONS : latest.current;
      if (tabId.current !== null) tell({ stage: 'reading', tabId: tabId.current, additions: typed, mode });
      if (reading === null) showStatus({ tone: 'busy', text: 'Reading the page … Closing this window is safe.' });
      const found = reading === null ? await read() : { reading };
      if ('problem' in found) showStatus({ tone: found.tone, text: found.problem });
      else await saveReading(found.reading, tell);
    } catch (error) {
      const text =
        error instanceof OutboxFullError
          ? 'The browser has no space left for this page. Export or send the captures below, then try again.'
          : `The page was not sent: ${String(error)}`;
      showStatus({ tone: 'bad', text });
    } finally {
      tell({ stage: 'done' });
      // Unlocked before the refresh, so that the user can save again as soon as the result is shown.
      saving.current = false;
      setBusy(false);
      await refresh();
    }
  };

  /** Moves the memory that this window made to the trash, and puts its text back into the fields. */
  const undo = async () => {
    if (saved === null || connection.state !== 'connected') return;
    try {
      await connection.client('deleteMemory', { parameters: { id: saved.id } });
      setSaved(null);
      setKnown(saved.before);
      edit(continueDraft(saved.additions, latest.current));
      showStatus({ tone: 'quiet', text: 'Not saved. The memory is in the trash.' });
    } catch (error) {
      showStatus({ tone: 'bad', text: `It stays saved: ${messageOf(error)}` });
    }
  };

  return {
    page,
    pictures,
    leaveOutPicture: () => {
      leaveOutPicture();
      setIsSaved(false);
    },
    mode,
    setMode: (next: ReadingMode) => {
      setMode(next);
      setIsSaved(false);
    },
    setScope,
    keepComments,
    additions,
    edit,
    known,
    isBusy,
    save,
    isSaved,
    /** The memory of the page; null if it is not saved. */
    memoryId: saved?.id ?? known?.id ?? null,
    undo: saved?.isNew ? undo : null,
  };
}

/** The pictures of the page, which are made while the user looks at the preview. */
function usePictures() {
  const [pictures, setPictures] = useState<Pictures | null>(null);
  const made = useRef<Promise<Pictures>>(null);

  return {
    /** Null until they are made. */
    pictures,
    makePictures: useCallback(() => {
      made.current = readPictures();
      void made.current.then(setPictures);
    }, []),
    /** Saves the page without its picture. */
    leaveOutPicture: useCallback(() => setPictures((before) => ({ ...before, picture: null })), []),
    /** Waits briefly for the pictures. */
    awaitPictures: useCallback(() => picturesSoon(made.current ?? Promise.resolve({})), []),
  };
}
