import type { ChangedEvent } from '@recollect/contract';
import { createParser } from 'eventsource-parser';
import { send } from './client.js';

/** The events of the server's stream. */
export interface Notice {
  /** The number of the last change, from which another stream can resume. */
  lastId: string;
  /** The ids of changed memories; null if anything may have changed. Missing if only the number is known. */
  changed?: readonly string[] | null;
}

/**
 * Reads the server's change notifications after `lastId` until the stream ends. Throws if the server does not answer.
 * This is not an EventSource, because that cannot send the header by which the server recognizes its own pages.
 */
export async function readEvents(
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
  const response = await send('/api/v1/events', { headers, signal });
  const text = response.ok ? response.body?.pipeThrough(new TextDecoderStream()) : undefined;
  if (text !== undefined) for await (const part of readAll(text)) parser.feed(part);
}

async function* readAll(stream: ReadableStream<string>): AsyncGenerator<string> {
  // Safari's streams cannot be iterated.
  const reader = stream.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
}
