import { Server } from 'node:http';
import { limits } from '@recollect/contract';
import { LOCAL_USER } from '@recollect/core';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { startTestServer, type TestServer } from './start-test-server.js';

let server: TestServer;
const opened: AbortController[] = [];
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(async () => {
  for (const controller of opened.splice(0)) controller.abort();
  await server.close();
});

interface SentEvent {
  id: string;
  event?: string;
  data?: string;
}

/** Opens the stream of events. `next` waits for one with a name or data; it is undefined when the stream ends. */
async function follow(headers: Record<string, string> = {}) {
  const controller = new AbortController();
  opened.push(controller);
  const { signal } = controller;
  const response = await fetch(`${server.address}/api/v1/events`, { headers, signal });
  const reader = (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const read = async (): Promise<SentEvent | undefined> => {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end >= 0) {
        const lines = text
          .slice(0, end)
          .split('\n')
          .filter((line) => !line.startsWith(':'));
        text = text.slice(end + 2);
        if (lines.length === 0) continue;
        return Object.fromEntries(lines.map((line) => line.split(/: (.*)/s).slice(0, 2)));
      }
      const { value, done } = await reader.read();
      if (done) return undefined;
      text += value;
    }
  };
  const first = response.ok ? await read() : undefined;
  return { response, first, next: read, stop: () => controller.abort() };
}

const save = async (pageText: string, userId = LOCAL_USER) =>
  (await server.core.capture(userId, [{ pageText }])).answer.captures[0]?.id ?? '';
const idsOf = (event: SentEvent | undefined) => JSON.parse(event?.data ?? '{}').memoryIds;

test('SYS-5: notifies a user only of their changes, with the ids of the memories', async () => {
  const { response, first, next } = await follow();
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  expect([response.headers.get('cache-control'), response.headers.get('x-accel-buffering')]).toEqual([
    'no-store',
    'no',
  ]);
  expect(Number(first?.id)).toBe(await server.storage.changes.latest(LOCAL_USER));
  await save("another user's", 'bob');
  const id = await save('mine');
  const event = await next();
  expect([event?.event, idsOf(event)]).toEqual(['changed', [id]]);
  expect(Number(event?.id)).toBeGreaterThan(Number(first?.id));
  await server.core.memories.remove(LOCAL_USER, id);
  expect(idsOf(await next())).toEqual([id]);
});

test('SYS-5: sends what was missed since the last event, and nothing before it', async () => {
  await save('before');
  const { first, stop } = await follow();
  stop();
  const ids = [await save('one'), await save('two')];
  const { next } = await follow({ 'last-event-id': first?.id ?? '' });
  expect(idsOf(await next())).toEqual(ids);
});

test('SYS-5: tells a client to reload if what it missed is unknown or too much', async () => {
  await save('one');
  for (const id of ['999999999']) expect((await (await follow({ 'last-event-id': id })).next())?.event).toBe('reset');
  const from = String(await server.storage.changes.latest(LOCAL_USER));
  const many = Array.from({ length: 501 }, (_, at) => ({ pageText: `text ${at}` }));
  for (let at = 0; at < many.length; at += 100) await server.core.capture(LOCAL_USER, many.slice(at, at + 100));
  expect((await (await follow({ 'last-event-id': from })).next())?.event).toBe('reset');
});

test('SYS-5: ignores a foreign event id', async () => {
  await save('one');
  const latest = String(await server.storage.changes.latest(LOCAL_USER));
  for (const id of ['', 'x', '-1', '1e3', '0x1', '1.5', '9'.repeat(30), '1, 2'])
    expect([id, (await follow({ 'last-event-id': id })).first?.id]).toEqual([id, latest]);
});

test('SYS-5: needs the scope memory:read, and ends when the key is revoked', async () => {
  const create = (scope: 'memory:read' | 'memory:write') => server.core.apiKeys.create(LOCAL_USER, { scopes: [scope] });
  const [reader, writer] = [await create('memory:read'), await create('memory:write')];
  const bearer = ({ key }: { key: string }) => ({ authorization: `Bearer ${key}` });
  expect((await follow(bearer(writer))).response.status).toBe(403);
  const { next } = await follow(bearer(reader));
  const id = await save('while the key is valid');
  expect(idsOf(await next())).toEqual([id]);
  await server.core.apiKeys.revoke(LOCAL_USER, reader.apiKey.id);
  await save('after it was revoked');
  expect(await next()).toBeUndefined();
});

test('SYS-5: ends when the server stops, which does not wait for it', async () => {
  const streams = await Promise.all([follow(), follow()]);
  // After ten seconds, a server that still waits closes all connections by force.
  const forced = vi.spyOn(Server.prototype, 'closeAllConnections');
  onTestFinished(() => forced.mockRestore());
  await Promise.all([server.stopListening(), ...streams.map(async ({ next }) => expect(await next()).toBeUndefined())]);
  expect(forced).not.toHaveBeenCalled();
  await server.listenAgain();
});

test('SYS-5: follows the store only while someone listens', async () => {
  const { first, stop, next } = await follow();
  expect(first).toBeDefined();
  const id = await save('seen');
  expect(idsOf(await next())).toEqual([id]);
  stop();
  const again = await follow();
  const other = await save('seen again');
  expect(idsOf(await again.next())).toEqual([other]);
  expect((await server.send('HEAD', '/api/v1/events')).status).toBe(200);
});

test('SYS-5, SEC-11: a caller has a limited number of streams, and the others can still be served', async () => {
  const { ofCaller } = limits.eventStreams;
  const keys = await Promise.all(
    [1, 2].map(async () => (await server.core.apiKeys.create(LOCAL_USER, { scopes: ['memory:read'] })).key),
  );
  const [first = '', second = ''] = keys.map((key) => `Bearer ${key}`);
  const streams = await Promise.all(Array.from({ length: ofCaller }, () => follow({ authorization: first })));
  expect(streams.every(({ response }) => response.ok)).toBe(true);
  const refused = await follow({ authorization: first });
  expect([refused.response.status, refused.response.headers.get('retry-after')]).toEqual([429, '10']);
  expect((await follow({ authorization: second })).response.status).toBe(200);
  expect((await server.send('GET', '/healthz')).status).toBe(200);
  streams[0]?.stop();
  await expect.poll(async () => (await follow({ authorization: first })).response.status).toBe(200);
});
