import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { createApiKey, LOCAL_USER, RecollectError } from '@recollect/core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startTestServer, type TestServer } from './start-test-server.js';

let server: TestServer;
let other: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  other = await startTestServer();
});
afterAll(async () => {
  await server.close();
  await other.close();
});

const NDJSON = { 'content-type': 'application/x-ndjson' };
const exportOf = (from: TestServer, query = '') => from.send('GET', `/api/v1/export${query}`);
const importInto = (into: TestServer, body: string, headers: Record<string, string> = {}) =>
  into.send('POST', '/api/v1/import', body, { ...NDJSON, ...headers });

describe('export and import over HTTP', () => {
  test('EXP-7, EXP-8: an export of one server imported by another is exported the same', async () => {
    const { answer } = await server.core.capture(LOCAL_USER, [
      { title: 'Tea', pageText: 'Green tea is steeped.', tags: ['drink'], url: 'https://tea.example' },
      { messages: [{ role: 'user', text: 'Hello' }], url: 'https://chatgpt.com/c/1' },
      { pageText: 'To the trash.' },
    ]);
    const [tea, , gone] = answer.captures.map(({ id }) => id);
    await server.core.highlights.create(LOCAL_USER, tea ?? '', { quote: 'Green tea' });
    await server.core.memories.remove(LOCAL_USER, gone ?? '');
    const { status, headers, body } = await exportOf(server);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/x-ndjson');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="recollect-\d{4}-\d\d-\d\d\.jsonl"$/);
    const report = await importInto(other, body);
    expect(report.body).toMatchObject({ found: 3, created: 3, skipped: [], failed: [], isComplete: true });
    const lines = (text: string) => text.split('\n').slice(1);
    expect(lines((await exportOf(other)).body)).toEqual(lines(body));
    expect((await importInto(other, body)).body).toMatchObject({ created: 0, duplicates: 3 });
    expect((await other.send('GET', '/api/v1/capture/query?q=steeped')).body.results[0].id).toBe(tea);
  });

  test('EXP-1, EXP-5: an export of everything has the saved searches, and an import adds those that are not there', async () => {
    const listOf = async ({ core }: TestServer) =>
      (await core.savedSearches.list(LOCAL_USER)).savedSearches.map(({ name, query }) => ({ name, query }));
    const kept = [
      { name: 'Drinks', query: 'tag:drink' },
      { name: 'To read', query: 'is:unread' },
    ];
    for (const search of kept) await server.core.savedSearches.create(LOCAL_USER, search);
    const { body } = await exportOf(server);
    expect(JSON.parse(body.split('\n')[0]).savedSearches).toEqual(kept);
    expect(JSON.parse((await exportOf(server, '?query=tag:drink')).body.split('\n')[0])).not.toHaveProperty(
      'savedSearches',
    );
    await other.core.savedSearches.create(LOCAL_USER, { name: 'drinks', query: 'tag:water' });
    const report = (await importInto(other, body)).body;
    expect(report).toMatchObject({ savedSearches: 1, isComplete: true });
    expect(report.skipped).toEqual([
      {
        item: 'saved search Drinks',
        reason: expect.stringMatching(/with this name and another query, which was kept\.$/),
      },
    ]);
    expect(await listOf(other)).toEqual([{ name: 'drinks', query: 'tag:water' }, kept[1]]);
    expect((await importInto(server, body)).body).toMatchObject({ savedSearches: 0, skipped: [] });
    // Names are the same without regard to case, and what a later version adds is ignored.
    const later = body.replace('"Drinks"', '"DRINKS"').replace('"is:unread"', '"is:unread","colour":"red"');
    expect((await importInto(server, later)).body).toMatchObject({ savedSearches: 0, skipped: [], failed: [] });
  });

  test('EXP-3, EXP-7: exports what operators select, and rejects words', async () => {
    const found = await exportOf(server, '?query=tag:drink');
    expect(found.body.trim().split('\n')).toHaveLength(3);
    const ended = await exportOf(server, '?since=2999-01-01');
    expect(ended.body.trim().split('\n')).toHaveLength(2);
    for (const query of ['?query=tea', '?since=2026-02-30', '?format=xml'])
      expect((await exportOf(server, query)).status).toBe(400);
    expect((await server.send('HEAD', '/api/v1/export')).status).toBe(200);
  });

  test('EXP-7, EXP-8: is limited to the scopes of the key, and never to be forged by a page', async () => {
    const { key } = await server.core.apiKeys.create(LOCAL_USER, { scopes: ['capture:write'] });
    const headers = { authorization: `Bearer ${key}` };
    expect((await server.send('GET', '/api/v1/export', undefined, headers)).status).toBe(403);
    expect((await importInto(server, '', headers)).status).toBe(403);
    expect((await importInto(server, '', { authorization: `Bearer ${createApiKey()}` })).status).toBe(401);
    for (const origin of ['https://evil.example', 'null'])
      expect((await importInto(server, '', { origin })).body).toMatchObject({ code: 'ORIGIN_NOT_ALLOWED' });
    const site = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    expect((await server.send('GET', '/api/v1/export', undefined, site)).status).toBe(403);
    for (const type of [
      'application/json',
      'text/plain',
      'application/x-ndjson; charset=latin1',
      'application/x-ndjsonx',
    ])
      expect((await importInto(server, '', { 'content-type': type })).status).toBe(415);
    expect((await server.send('POST', '/api/v1/capture', '{}', NDJSON)).status).toBe(415);
  });

  test('EXP-6, EXP-8: answers a body that is not an export with 400, also a large one', async () => {
    for (const body of ['', '{"pageText":"x"}', 'x'.repeat(3_000_000)])
      expect((await importInto(other, body)).body).toMatchObject({ status: 400, code: 'EXPORT_UNREADABLE' });
    expect((await other.send('GET', '/healthz')).status).toBe(200);
  });

  test('EXP-8, SEC-11: an import ends with its client', async () => {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    let ended: unknown = null;
    const waiting = await startTestServer({
      change: (core) => ({
        ...core,
        imports: {
          ...core.imports,
          fromRecords: (_user, _items, { signal } = {}) =>
            new Promise((_, reject) => {
              signal?.addEventListener('abort', () => {
                ended = signal.reason;
                reject(signal.reason);
              });
              begin();
            }),
        },
      }),
    });
    try {
      const socket = connect(waiting.port, '127.0.0.1');
      socket.write(
        `POST /api/v1/import HTTP/1.1\r\nHost: localhost:${waiting.port}\r\nContent-Type: application/x-ndjson\r\nContent-Length: 2\r\n\r\n{}`,
      );
      await begun;
      socket.destroy();
      await expect.poll(() => ended).toMatchObject({ code: 'REQUEST_MALFORMED' });
    } finally {
      await waiting.close();
    }
  });

  test('EXP-8: imports a body that is larger than any other request may be, as it arrives', async () => {
    const { body } = await exportOf(server, '?query=tag:drink');
    const [header = '', line = '{}'] = body.split('\n');
    const record = JSON.parse(line);
    const long = 'Black tea is boiled. '.repeat(2_000);
    const lines = function* () {
      yield `${header}\n`;
      for (let at = 0; at < 450; at++) {
        const id = `019f0c1e-7d3a-7000-8a51-${String(at).padStart(12, '0')}`;
        // The same text with another id is a duplicate, which saves the time of splitting it.
        yield `${JSON.stringify({ ...record, id, highlights: [], text: long })}\n`;
      }
      yield '{"recollect":"end","memories":450}\n';
    };
    const response = await fetch(`${other.address}/api/v1/import`, {
      method: 'POST',
      headers: NDJSON,
      body: Readable.toWeb(Readable.from(lines())) as ReadableStream,
      duplex: 'half',
    } as RequestInit);
    expect(await response.json()).toMatchObject({ found: 450, created: 1, duplicates: 449, isComplete: true });
  });

  test('EXP-7, SYS-7: an export that fails on the way is logged, and shown in the status once', async () => {
    const logged = vi.spyOn(process.stderr, 'write').mockImplementation(() => true);
    const failing = await startTestServer({
      change: (core) => ({
        ...core,
        records: {
          ...core.records,
          export: async function* (...given) {
            yield* core.records.export(...given);
            throw new RecollectError('STORE_DAMAGED', 'The store is damaged.');
          },
        },
      }),
    });
    try {
      await expect(exportOf(failing)).rejects.toThrow();
      const { errors } = (await failing.send('GET', '/api/v1/status')).body;
      expect(errors).toMatchObject([{ operation: 'export', code: 'STORE_DAMAGED', count: 1 }]);
      expect(logged.mock.calls.join()).toContain('RecollectError STORE_DAMAGED');
    } finally {
      await failing.close();
      logged.mockRestore();
    }
  });

  test('EXP-8: keeps what arrived of a body that breaks off', async () => {
    const target = await startTestServer();
    try {
      const { body } = await exportOf(server);
      const socket = connect(target.port, '127.0.0.1');
      const head = `POST /api/v1/import HTTP/1.1\r\nHost: localhost:${target.port}\r\nContent-Type: application/x-ndjson\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
      socket.write(head + body.slice(0, body.length - 100));
      await once(socket, 'connect');
      await new Promise((resolve) => setTimeout(resolve, 300));
      socket.destroy();
      await expect.poll(() => target.send('GET', '/healthz').then(({ status }) => status)).toBe(200);
      expect((await importInto(target, body)).body).toMatchObject({ failed: [], isComplete: true });
    } finally {
      await target.close();
    }
  });
});
