import { createClient } from '@recollect/contract/client';
import { expect, test } from 'vitest';
import type { Reading, ReadingMode } from '../src/reading.js';
import { receipt } from '../src/saving/receipt.js';
import { send } from '../src/saving/send.js';
import { NO_ADDITIONS, toCapture } from '../src/saving/to-capture.js';

const reading = {
  url: 'https://a.example/',
  title: 'T',
  sourceApp: 'web',
  selection: null,
  messages: null,
  pageText: 'the page',
  wholeText: null,
  comments: [],
  keepsComments: true,
  scope: 'article',
  smart: null,
  facts: {},
  extractor: 'defuddle',
  isStreaming: false,
  pdf: null,
  problem: null,
} as const;

test('CAP-22: sends comments with the article only, and none if they are left out', () => {
  const comments = [{ author: 'Ann', text: 'Well said!' }];
  const sent = (changes: Partial<Reading>, mode: ReadingMode = 'page') =>
    toCapture({ ...reading, wholeText: 'all of it', comments, ...changes }, mode, NO_ADDITIONS, '1').comments;
  expect(sent({})).toEqual(comments);
  expect(sent({ keepsComments: false })).toBeUndefined();
  expect(sent({ scope: 'page' })).toBeUndefined();
  expect(sent({ selection: 'the' }, 'selection')).toBeUndefined();
});

/** The message of the window after this response of a server. */
async function statusAfter(
  status: number,
  body: string,
): Promise<{ affectsAll?: boolean; state?: string; text: string }> {
  const answer = { ok: false, status, headers: new Headers(), text: async () => body };
  const [baseUrl, host] = ['http://127.0.0.1:4545', '127.0.0.1:4545'];
  const client = createClient({ baseUrl, fetch: async () => answer });
  const delivery = await send({ state: 'connected', host, baseUrl, client, hasKey: false }, 'key', { pageText: 'x' });
  const { text } = receipt(delivery, { reading, mode: 'page', known: null });
  return delivery.outcome === 'kept'
    ? { affectsAll: delivery.affectsAll, state: delivery.connection.state, text }
    : { text };
}

const problem = (status: number, code: string, detail: string) =>
  statusAfter(status, JSON.stringify({ type: 'about:blank', title: code, status, code, detail, requestId: 'r' }));

test('REL-4: shows the message of the server, and that it responds', async () => {
  expect(await problem(429, 'RATE_LIMITED', 'Too many captures. Wait 40 seconds.')).toEqual({
    affectsAll: true,
    state: 'connected',
    text: 'Kept in this browser: Too many captures. Wait 40 seconds. It will be sent when you open this window again.',
  });
  expect(await problem(503, 'STORE_FULL', 'The disk is full.')).toMatchObject({ affectsAll: true, state: 'connected' });
  expect(await problem(500, 'IMPORT_FAILED', 'Nothing was saved.')).toMatchObject({
    affectsAll: false,
    state: 'connected',
    text: expect.stringContaining('Nothing was saved.'),
  });
  expect((await problem(400, 'VALIDATION_FAILED', 'url must be an address.')).text).toBe(
    'Recollect rejected this capture: url must be an address.',
  );
  // Only in this state can another key be entered.
  expect(await problem(403, 'SCOPE_MISSING', 'The key may not capture.')).toMatchObject({ state: 'key-needed' });
  expect(await problem(401, 'AUTHENTICATION_REQUIRED', 'Send a key.')).toMatchObject({
    affectsAll: true,
    state: 'key-needed',
  });
});

test('REL-4: tells the pages of a proxy, and other programs, from the server', async () => {
  expect(await statusAfter(502, '<h1>Bad gateway</h1>')).toMatchObject({ affectsAll: true, state: 'off' });
  expect(await statusAfter(404, '<h1>Not here</h1>')).toMatchObject({ affectsAll: true, state: 'wrong-server' });
  expect((await statusAfter(413, '<h1>Too large</h1>')).text).toContain('too large for the server or the proxy');
});
