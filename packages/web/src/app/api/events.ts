import type { ChangedEvent } from '@recollect/contract';
import { createParser } from 'eventsource-parser';
import { addressOf, ownName } from './base-path.js';
import { send } from './client.js';
import { isOffline, isSignedOut, onReconnect, reportUnreachable } from './connection.js';

/** Milliseconds before the next attempt to listen. */
const RETRY_MS = 2_000;
/** The lock of the window that listens, and the channel by which it tells the others. */
const CHANNEL = ownName('recollect-changes');

/** Where the number of the last change is kept that the server reported to a window. */
const LAST_CHANGE_KEY = ownName('recollect-last-change');
/** Read before anything else, so that all that a page shows is at least as new. */
const knownAtStart = localStorage.getItem(LAST_CHANGE_KEY);

/** Called with the ids of changed memories, or null if anything may have changed. */
type Listener = (ids: readonly string[] | null) => void;

/** Messages between windows: an event of the server, that the server does not respond, or that a window opened. */
type Message = Notice | 'unreachable' | 'opened';

const listeners = new Set<Listener>();

/** Notifies of changes until the returned function is called. */
export function onChanges(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Listens to the server's change notifications while the page is visible. Browsers open six connections to a server
 * over HTTP/1.1, so one window, which holds a lock, listens for all. When it closes or is hidden, the next one resumes
 * from the last notification. Without a secure context there are no locks, and each window listens itself.
 */
export function listenToChanges(): void {
  const channel = 'locks' in navigator ? new BroadcastChannel(CHANNEL) : null;
  let lastId = knownAtStart;
  let listening: AbortController | null = null;
  let isLeader = false;
  let stopWaiting = () => {};

  const tell = (message: Message) => channel?.postMessage(message);
  const take = (notice: Notice) => {
    // With another number and no ids, something may have changed after it was read and before anybody listened.
    const isNews = notice.changed !== undefined || notice.lastId !== lastId;
    lastId = notice.lastId;
    if (isNews) reportChanges(notice.changed ?? null);
    try {
      localStorage.setItem(LAST_CHANGE_KEY, lastId);
    } catch {
      // The storage is full of drafts. The next page is read twice.
    }
  };

  const lead = async (signal: AbortSignal) => {
    isLeader = true;
    while (!signal.aborted && !isSignedOut.peek()) {
      const onNotice = (notice: Notice) => {
        take(notice);
        tell(notice);
      };
      // It fails if the server stopped or the page was hidden.
      await readEvents(lastId, onNotice, signal).catch(() => {});
      if (signal.aborted) break;
      if (isOffline.peek()) tell('unreachable');
      await new Promise<void>((resolve) => {
        stopWaiting = resolve;
        setTimeout(resolve, RETRY_MS);
      });
    }
    isLeader = false;
  };

  const listen = async () => {
    if (document.hidden || isSignedOut.peek() || listening !== null) return;
    const controller = new AbortController();
    listening = controller;
    const { signal } = controller;
    if (channel === null) await lead(signal);
    // Hidden while it waited for the lock.
    else await navigator.locks.request(CHANNEL, { signal }, () => lead(signal)).catch(() => {});
    if (listening === controller) listening = null;
  };

  channel?.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data === 'unreachable') reportUnreachable();
    else if (data !== 'opened') take(data);
    else if (isLeader && lastId !== null) tell({ lastId });
  });
  // With the last id it can resume, even if nothing changes before the other window closes.
  tell('opened');
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) {
      listening?.abort();
      listening = null;
      stopWaiting();
    } else void listen();
  });
  // After a sign-in or a restart, it need not wait.
  onReconnect(() => {
    stopWaiting();
    void listen();
  });
  void listen();
}

/** Notifies of changes that this window made itself, before the server does. */
export function reportChanges(ids: readonly string[] | null): void {
  for (const listener of listeners) listener(ids);
}

/** The events of the server's stream. */
interface Notice {
  /** The number of the last change, from which another stream can resume. */
  lastId: string;
  /** The ids of changed memories; null if anything may have changed. Missing if only the number is known. */
  changed?: readonly string[] | null;
}

/**
 * Reads the server's change notifications after `lastId` until the stream ends. Throws if the server does not answer.
 * This is not an EventSource, because that cannot send the header by which the server recognizes its own pages.
 */
async function readEvents(
  lastId: string | null,
  onNotice: (notice: Notice) => void,
  signal: AbortSignal,
): Promise<void> {
  let isFirst = true;
  const parser = createParser({
    // The first id comes without an event, and says from where on the server reports changes.
    onId(id) {
      if (isFirst) onNotice({ lastId: id });
      isFirst = false;
    },
    onEvent({ id: lastId = '', event, data }) {
      if (event === 'reset') onNotice({ lastId, changed: null });
      if (event === 'changed') onNotice({ lastId, changed: (JSON.parse(data) as ChangedEvent).memoryIds });
    },
  });
  const headers: Record<string, string> = lastId === null ? {} : { 'last-event-id': lastId };
  const response = await send(addressOf('/api/v1/events'), { headers, signal });
  const text = response.ok ? response.body?.pipeThrough(new TextDecoderStream()) : undefined;
  if (text !== undefined) for await (const part of readAll(text)) parser.feed(part);
}

async function* readAll(stream: ReadableStream<string>): AsyncGenerator<string> {
  // Safari's streams cannot be iterated.
  const reader = stream.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
}
