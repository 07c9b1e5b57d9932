import { LOCAL_USER } from '@recollect/core';
import { createFakeClock } from '@recollect/core/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from './start-test-server.js';

const DAY = 86_400_000;
const clock = createFakeClock();
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ clock });
});
afterAll(() => server.close());

const save = async (capture: Record<string, unknown>, headers = {}): Promise<string> =>
  (await server.send('POST', '/api/v1/capture', capture, headers)).body.captures[0].id;
const get = async (id: string) => (await server.send('GET', `/api/v1/memories/${id}`)).body;
const query = async (body: object) => (await server.send('POST', '/api/v1/capture/query', body)).body.results;

describe('query', () => {
  test('QRY-9: results have tags, the time of capture, and the shares of words and meaning', async () => {
    const id = await save({ pageText: 'Zanzibar cloves', tags: ['spice'], capturedAt: '2026-01-02T03:04:05Z' });
    const [found] = await query({ query: 'zanzibar cloves' });
    expect(found).toMatchObject({ id, tags: ['spice'], capturedAt: '2026-01-02T03:04:05.000Z' });
    expect(found.match.text + found.match.meaning).toBeCloseTo(1);
    expect([found.match.text > 0, found.match.meaning > 0]).toEqual([true, true]);
    const nothing = { text: 0, meaning: 0, terms: [], passage: { start: 0, end: 0 } };
    expect((await query({ query: 'tag:spice' }))[0].match).toEqual(nothing);
    server.model.failure = () => Promise.reject(new Error('down'));
    const whole = { text: 1, meaning: 0, terms: ['zanzibar'], passage: { start: 0, end: 'Zanzibar cloves'.length } };
    expect((await query({ query: 'zanzibar' }))[0].match).toEqual(whole);
    server.model.failure = null;
  });

  test('QRY-11: leaves out results with a low score, in POST and in GET', async () => {
    const id = await save({ pageText: 'Quarks and leptons' });
    const idsOf = (results: { id: string }[]) => results.map(({ id }) => id);
    expect(idsOf(await query({ query: 'quarks leptons', minScore: 0.3 }))).toEqual([id]);
    const get = (minScore: string) =>
      server.send('GET', `/api/v1/capture/query?q=quarks%20leptons&minScore=${minScore}`);
    expect(idsOf((await get('0.3')).body.results)).toEqual([id]);
    expect((await get('0')).body.results.length).toBeGreaterThan(1);
    for (const wrong of ['2', '-1', 'most', '1e-1']) expect([wrong, (await get(wrong)).status]).toEqual([wrong, 400]);
  });

  test('QRY-8: finds by the program that saved, in a field and as an operator', async () => {
    const web = await save({ pageText: 'Saffron by page', tags: ['by'] }, { origin: server.address });
    const http = await save({ pageText: 'Saffron by program', tags: ['by'] });
    const idsOf = (results: { id: string }[]) => results.map(({ id }) => id);
    expect(idsOf(await query({ query: 'saffron tag:by', by: 'web' }))).toEqual([web]);
    expect(idsOf(await query({ query: 'saffron tag:by by:HTTP' }))).toEqual([http]);
    expect(idsOf((await server.send('GET', '/api/v1/memories?tag=by&by=web')).body.memories)).toEqual([web]);
    expect(await query({ query: 'tag:by by:"mcp:Claude Code"' })).toEqual([]);
    const assistant = async (name: string | null) => {
      const by = { client: 'mcp', name, key: null } as const;
      const capture = { pageText: `Saffron by ${name}`, tags: ['by assistant'] };
      return (await server.core.capture(LOCAL_USER, [capture], { actor: by })).answer.captures[0]?.id;
    };
    const [quoted, nameless] = [await assistant('My "Best" Client'), await assistant(null)];
    expect(idsOf(await query({ query: String.raw`tag:"by assistant" by:"mcp:My \"Best\" Client"` }))).toEqual([quoted]);
    expect(idsOf(await query({ query: 'by:"mcp:"' }))).toEqual([nameless]);
    expect(idsOf(await query({ query: 'saffron', by: 'mcp:' }))).toEqual([nameless]);
    expect(idsOf(await query({ query: 'by:mcp' })).length).toBe(2);
    // An unknown kind of program is text in a query, and an error in a field.
    expect(idsOf(await query({ query: 'tag:by saffron by:page' })).length).toBe(2);
    for (const by of ['page', ':x', 'mcps']) {
      const { status, body } = await server.send('POST', '/api/v1/capture/query', { query: 'x', by });
      expect([by, status, body.errors?.[0]?.pointer]).toEqual([by, 400, '/by']);
    }
  });
});

describe('text', () => {
  test('MEM-1: a new text is split, embedded and found, and the former one is not', async () => {
    const id = await save({ pageText: 'quokka habitat', title: 'Animal' });
    const { status, body } = await server.send('PATCH', `/api/v1/memories/${id}`, { text: 'wombat\0 burrow\n' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ text: 'wombat burrow\n', title: 'Animal', embedding: { state: 'embedded' } });
    expect((await query({ query: '"wombat burrow"' })).map((result: { id: string }) => result.id)).toContain(id);
    server.model.failure = () => Promise.reject(new Error('down'));
    expect(await query({ query: 'quokka' })).toEqual([]);
    const later = await server.send('PATCH', `/api/v1/memories/${id}`, { text: 'not embedded yet' });
    server.model.failure = null;
    expect([later.status, later.body.embedding.state]).toEqual([200, 'pending']);
  });

  test('MEM-1: changes only the expected text, even after other changes', async () => {
    const id = await save({ pageText: 'as it was', url: 'https://expected.example/' });
    const { textHash } = await get(id);
    const path = `/api/v1/memories/${id}`;
    await server.send('PATCH', path, { title: 'Renamed', tags: ['x'], note: 'y' });
    const first = await server.send('PATCH', path, { text: 'by the first', expected: { textHash } });
    expect([first.status, first.body.text]).toEqual([200, 'by the first']);
    const second = await server.send('PATCH', path, { text: 'by the second', expected: { textHash } });
    expect([second.status, second.body.code]).toEqual([409, 'MEMORY_CHANGED']);
    expect((await get(id)).text).toBe('by the first');
    const again = { text: 'by the second', expected: { textHash: first.body.textHash } };
    expect((await server.send('PATCH', path, again)).body.text).toBe('by the second');
    expect((await server.send('PATCH', path, { text: 'x', expected: { text: 'by the second' } })).status).toBe(400);
  });

  test('MEM-1: rejects a blank text, and one that another memory of the address has', async () => {
    const [one, two] = [
      await save({ pageText: 'first of two', url: 'https://two.example/' }),
      await save({ pageText: 'second of two', url: 'https://two.example/#x' }),
    ];
    const blank = await server.send('PATCH', `/api/v1/memories/${two}`, { text: ' \0\n' });
    expect([blank.status, blank.body.errors[0].pointer]).toEqual([400, '/text']);
    const same = await server.send('PATCH', `/api/v1/memories/${two}`, { text: 'first of two', title: 'Lost' });
    expect([same.status, same.body.code]).toEqual([409, 'MEMORY_DUPLICATE']);
    expect(await get(two)).toMatchObject({
      text: 'second of two',
      otherCaptures: [{ id: one, title: 'first of two' }],
    });
    expect((await server.send('PATCH', '/api/v1/memories/unknown', { text: 'x' })).status).toBe(404);
  });
});

test('MEM-9: a conversation has its turns, and other memories have none', async () => {
  const messages = [
    { role: 'user', text: 'What is tea?\n\nuser: quoted' },
    { role: 'assistant', text: 'A: drink' },
  ];
  const talk = await save({ messages, url: 'https://chat.example/1' });
  expect((await get(talk)).turns).toEqual(messages);
  const longer = [...messages, { role: 'user', text: 'Thanks' }];
  await save({ messages: longer, url: 'https://chat.example/1' });
  expect((await get(talk)).turns).toEqual(longer);
  expect((await get(await save({ pageText: 'user: no talk' }))).turns).toBeNull();
});

test('MEM-8: related memories are those with similar texts, and counts follow the filters', async () => {
  const [one, two] = [
    await save({ pageText: 'basalt granite marble', tags: ['stone'] }),
    await save({ pageText: 'basalt granite slate', tags: ['stone'] }),
  ];
  const { status, body } = await server.send('GET', `/api/v1/memories/${one}/related?limit=1`);
  expect([status, body.related.length, body.related[0].id]).toEqual([200, 1, two]);
  expect(body.related[0]).toMatchObject({ excerpt: 'basalt granite slate', tags: ['stone'] });
  expect(body.related[0].similarity).toBeGreaterThan(0.5);
  for (const limit of ['0', '21', 'x'])
    expect((await server.send('GET', `/api/v1/memories/${one}/related?limit=${limit}`)).status).toBe(400);
  const counts = await server.send('GET', '/api/v1/memories/counts?tag=stone');
  expect([counts.status, counts.body]).toEqual([
    200,
    {
      total: 2,
      sourceTypes: [{ value: 'note', count: 2 }],
      sites: [],
      tags: [{ value: 'stone', count: 2 }],
      months: [{ value: '2026-01', count: 2 }],
      keys: [],
      clients: [{ client: 'http', name: null, count: 2 }],
    },
  ]);
  expect((await server.send('GET', '/api/v1/memories/counts?site=no%20host!')).body.errors[0].pointer).toBe('/site');
});

describe('trash', () => {
  test('MEM-7: lists the trash with the days that are left, page by page', async () => {
    const ids = [await save({ pageText: 'trash one' }), await save({ pageText: 'trash two' })];
    for (const id of ids) {
      await server.core.memories.remove(LOCAL_USER, id);
      clock.advance(DAY);
      await server.core.memories.purge();
    }
    const page = (more: string) => server.send('GET', `/api/v1/trash?limit=1${more}`);
    const first = await page('');
    expect([first.status, first.body.total]).toEqual([200, 2]);
    expect(first.body.memories).toMatchObject([{ id: ids[1], daysLeft: 29, excerpt: 'trash two' }]);
    const second = await page(`&cursor=${first.body.nextCursor}`);
    expect(second.body.memories).toMatchObject([{ id: ids[0], daysLeft: 28 }]);
    expect(second.body.nextCursor).toBeNull();
    for (const cursor of ['x', '1.2', ''])
      expect((await page(`&cursor=${cursor}`)).body.errors?.[0]?.pointer).toBe('/cursor');
  });

  test('MEM-7: returns a memory in the trash with its text, and none that is elsewhere', async () => {
    const [{ text, ...listed }] = await Promise.all(
      (await server.send('GET', '/api/v1/trash?limit=1')).body.memories.map(
        async ({ id }: { id: string }) => (await server.send('GET', `/api/v1/trash/${id}`)).body,
      ),
    );
    expect(text).toBe('trash two');
    expect((await server.send('GET', '/api/v1/trash?limit=1')).body.memories).toEqual([listed]);
    const kept = await save({ pageText: 'not in the trash' });
    // It is the path of another operation.
    expect((await server.send('GET', '/api/v1/trash/empty')).status).toBe(405);
    for (const id of [kept, 'unknown']) expect((await server.send('GET', `/api/v1/trash/${id}`)).status).toBe(404);
    await server.core.memories.remove(LOCAL_USER, kept);
    await server.core.trash.empty(LOCAL_USER, { ids: [kept] });
  });

  test('MEM-7: only the owner empties the trash, all of it or some', async () => {
    const { key } = await server.core.apiKeys.create(LOCAL_USER, { scopes: ['memory:read', 'memory:write'] });
    const empty = (body: unknown, headers = {}) => server.send('POST', '/api/v1/trash/empty', body, headers);
    expect((await empty({}, { authorization: `Bearer ${key}` })).body.code).toBe('SCOPE_MISSING');
    const [{ id }] = (await server.send('GET', '/api/v1/trash')).body.memories;
    for (const body of [{ ids: [] }, { ids: 'x' }, { id }, []]) expect((await empty(body)).status).toBe(400);
    expect((await server.send('GET', '/api/v1/trash')).body.total).toBe(2);
    for (const deletedBefore of ['', ' ', 'soon', '2026-02-30', null])
      expect((await empty({ deletedBefore })).body.errors?.[0]?.pointer).toBe('/deletedBefore');
    expect((await empty({ ids: [id, 'unknown'] })).body).toEqual({ deleted: 1 });
    const [{ deletedAt }] = (await server.send('GET', '/api/v1/trash')).body.memories;
    expect((await empty({ deletedBefore: deletedAt })).body).toEqual({ deleted: 0 });
    const later = new Date(Date.parse(deletedAt) + 3_600_001).toISOString().replace('Z', '+01:00');
    expect((await empty({ deletedBefore: later })).body).toEqual({ deleted: 1 });
    for (const all of [null, {}]) {
      await server.core.memories.remove(LOCAL_USER, await save({ pageText: 'trash again' }));
      expect((await empty(all)).body).toEqual({ deleted: 1 });
    }
    expect((await server.send('GET', '/api/v1/trash')).body).toEqual({ memories: [], total: 0, nextCursor: null });
    expect((await server.send('POST', `/api/v1/memories/${id}/restore`)).status).toBe(404);
  });
});

test('SYS-4: the owner sees the state of the deployment, and others do not', async () => {
  const { key } = await server.core.apiKeys.create(LOCAL_USER, { scopes: ['memory:read', 'index:run', 'jobs:manage'] });
  const refused = await server.send('GET', '/api/v1/status', undefined, { authorization: `Bearer ${key}` });
  expect([refused.status, refused.body.code]).toEqual([403, 'SCOPE_MISSING']);
  const { status, body } = await server.send('GET', '/api/v1/status');
  const { total } = (await server.send('GET', '/api/v1/memories/counts')).body;
  expect(status).toBe(200);
  expect(body).toMatchObject({
    version: '0.1.0-test',
    store: { location: null, bytes: 0, freeBytes: null, lacksReserve: false, problem: null },
    memories: total,
    trash: 0,
    model: 'fake',
    embeddings: { total },
    plugins: { active: 0, failures: [] },
    errors: [],
  });
});
