import { randomUUID } from 'node:crypto';
import { writeText } from '../write-text.js';
import type { Context, Kind } from './kind.js';

const address = (name: string) => `https://${name}.example/${randomUUID()}`;

/**
 * Sends a capture until it is answered. Its key makes retries safe. A failed embedding is an error, but the memory is
 * saved.
 */
async function save({ sendUntilAnswered }: Context, capture: object) {
  const answer = await sendUntilAnswered('POST', '/api/v1/capture', capture, { 'idempotency-key': randomUUID() });
  const id: string | null = answer.body?.captures?.[0]?.id ?? null;
  return { answer, id };
}

const note: Kind = {
  name: 'capture a note',
  weight: 6,
  async run(context) {
    const text = writeText();
    const { answer, id } = await save(context, { pageText: text });
    if (id !== null) context.ledger.add({ id, kind: 'note', url: null, contents: [text] });
    return answer;
  },
};

const page: Kind = {
  name: 'capture a page',
  weight: 5,
  async run(context) {
    const [url, text] = [address('page'), writeText()];
    const { answer, id } = await save(context, { title: text.slice(0, 40), url, pageText: text });
    if (id !== null) context.ledger.add({ id, kind: 'page', url, contents: [text] });
    return answer;
  },
};

const rawPage: Kind = {
  name: 'capture a raw page',
  weight: 1,
  async run(context) {
    const [url, paragraphs] = [address('raw'), Array.from({ length: 8 }, writeText)];
    const body = paragraphs.map((text) => `<p>${text}</p>`).join('\n');
    const html = `<html><head><title>A page</title></head><body><article><h1>A page</h1>${body}</article></body></html>`;
    const { answer, id } = await save(context, { url, html });
    if (id !== null) context.ledger.add({ id, kind: 'page', url, contents: [] });
    return answer;
  },
};

const conversation: Kind = {
  name: 'capture a conversation',
  weight: 2,
  async run(context) {
    const messages = [
      { role: 'user', text: writeText() },
      { role: 'assistant', text: writeText() },
    ];
    const url = address('chat');
    const { answer, id } = await save(context, { url, messages });
    if (id !== null) context.ledger.add({ id, kind: 'conversation', url, contents: [JSON.stringify(messages)] });
    return answer;
  },
};

const moreTurns: Kind = {
  name: 'extend a conversation',
  weight: 2,
  async run(context) {
    const entry = context.ledger.choose('live', 'conversation');
    if (entry === undefined || entry.contents.length !== 1) return null;
    entry.isBusy = true;
    const earlier = JSON.parse(entry.contents[0] ?? '[]');
    const messages = [...earlier, { role: 'user', text: writeText() }, { role: 'assistant', text: writeText() }];
    entry.contents = [...entry.contents, JSON.stringify(messages)];
    const { answer, id } = await save(context, { url: entry.url, messages });
    if (id !== null) {
      entry.contents = [JSON.stringify(messages)];
      if (id !== entry.id) context.contradict(`${entry.id}: a longer conversation was saved as ${id}`);
    }
    entry.isBusy = false;
    return answer;
  },
};

export const captures: readonly Kind[] = [note, page, rawPage, conversation, moreTurns];
