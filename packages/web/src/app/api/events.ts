import type { ChangedEvent } from '@recollect/contract';
import { createParser } from 'eventsource-parser';
import { send } from './client.js';
import { isSignedOut, onReconnect } from './connection.js';

/** Milliseconds before the next attempt to listen. */
const RETRY = 2_000;

/** Called with the ids of changed memories, or null if anything may have changed. */
type Listener = (ids: readonly string[] | null) => void;

const listeners = new Set<Listener>();

/** Notifies of changes until the returned function is called. */
export function onChanges(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Listens to the server's change notifications while the page is visible: browsers open six connections to a server over
 * HTTP/1.1, and every hidden tab would keep one of them. What changed meanwhile is sent when it listens again. This is not an
 * EventSource, because that cannot send the header by which the server recognizes its own pages.
 */
export function listenToChanges(): void {
  let lastId: string | null = null;
  let listening: AbortController | null = null;

  const parser = createParser({
    // The first id comes without an event.
    onId(id) {
      lastId = id;
    },
    onEvent({ event, data }) {
      if (event === 'reset') notify(null);
      if (event === 'changed') notify((JSON.parse(data) as ChangedEvent).memoryIds);
    },
  });

  const listen = async () => {
    if (document.hidden || isSignedOut.peek() || listening !== null) return;
    listening = new AbortController();
    const { signal } = listening;
    try {
      const headers: Record<string, string> = lastId === null ? {} : { 'last-event-id': lastId };
      const response = await send('/api/v1/events', { headers, signal });
      const text = response.ok ? response.body?.pipeThrough(new TextDecoderStream()) : undefined;
      if (text !== undefined) for await (const part of readAll(text)) parser.feed(part);
    } catch {
      // The server stopped or the page was hidden.
    }
    parser.reset();
    listening = null;
    if (!document.hidden) setTimeout(listen, RETRY);
  };

  document.addEventListener('visibilitychange', () => {
    if (document.hidden) listening?.abort();
    else void listen();
  });
  // After a sign-in or a restart, it need not wait.
  onReconnect(() => void listen());
  void listen();
}

async function* readAll(stream: ReadableStream<string>): AsyncGenerator<string> {
  // Safari's streams cannot be iterated.
  const reader = stream.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
}

function notify(ids: readonly string[] | null): void {
  for (const listener of listeners) listener(ids);
}
