import { LOCAL_USER } from '@recollect/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from './start-test-server.js';

let server: TestServer;
let memoryId: string;
beforeAll(async () => {
  server = await startTestServer();
  const { answer } = await server.core.capture(LOCAL_USER, [{ title: 'Tea', pageText: 'Green tea is steeped.' }]);
  memoryId = answer.captures[0]?.id ?? '';
});
afterAll(() => server.close());

const create = (body: unknown, id = memoryId) => server.send('POST', `/api/v1/memories/${id}/highlights`, body);
const list = async (search = '') => (await server.send('GET', `/api/v1/highlights${search}`)).body;

test('HLT-1: highlights a passage, whose outer white space belongs to the text around it', async () => {
  const { status, body } = await create({ quote: ' tea\n', prefix: 'Green', suffix: 'is', note: ' mine ' });
  expect([status, body]).toEqual([
    201,
    {
      id: expect.any(String),
      memoryId,
      title: 'Tea',
      url: null,
      sourceType: 'note',
      quote: 'tea',
      prefix: 'Green ',
      suffix: '\nis',
      note: 'mine',
      colour: 'yellow',
      reviewedAt: null,
      dismissed: false,
      createdAt: expect.any(String),
      updatedAt: body.createdAt,
    },
  ]);
  const full = await create({ quote: ' x', prefix: 'p'.repeat(2_000) });
  expect(full.body.prefix).toBe(`${'p'.repeat(1_999)} `);
});

test('HLT-1: rejects invalid passages and unknown memories', async () => {
  for (const [body, pointer] of [
    [{ quote: ' \0' }, '/quote'],
    [{ quote: '' }, '/quote'],
    [{ quote: 'x'.repeat(5_001) }, '/quote'],
    [{ quote: 'x', prefix: 'x'.repeat(2_001) }, '/prefix'],
    [{ quote: 'x', note: 'x'.repeat(20_001) }, '/note'],
    [{ quote: 'x', colour: 'red' }, '/colour'],
    [{ quote: 'x', color: 'pink' }, ''],
    [{}, '/quote'],
  ] as const) {
    const answer = await create(body);
    expect([answer.status, answer.body.errors?.[0]?.pointer]).toEqual([400, pointer]);
  }
  expect((await create({ quote: 'x' }, 'unknown')).status).toBe(404);
});

test('HLT-2: changes the note, and deletes', async () => {
  const { id } = (await create({ quote: 'steeped' })).body;
  const path = `/api/v1/highlights/${id}`;
  const changed = await server.send('PATCH', path, { note: 'New' });
  expect([changed.status, changed.body.note]).toEqual([200, 'New']);
  expect((await server.send('PATCH', path, { note: null })).body.note).toBeNull();
  for (const body of [{}, { quote: 'x' }, { note: 1 }])
    expect((await server.send('PATCH', path, body)).status).toBe(400);
  expect((await server.send('DELETE', path)).status).toBe(204);
  for (const [method, body] of [
    ['DELETE', undefined],
    ['PATCH', { note: 'x' }],
  ] as const)
    expect((await server.send(method, path, body)).status).toBe(404);
});

test('HLT-3: finds highlights without regard to case and accents, page by page', async () => {
  const { answer } = await server.core.capture(LOCAL_USER, [{ pageText: 'Other' }]);
  const other = answer.captures[0]?.id ?? '';
  for (const quote of ['Crème brûlée', '茶 漢字', '100%']) await create({ quote, note: 'Dessert' }, other);
  const quotes = async (search: string) => (await list(search)).highlights.map(({ quote }: { quote: string }) => quote);
  expect(await quotes('?q=CREME%20dessert')).toEqual(['Crème brûlée']);
  expect(await quotes(`?q=${encodeURIComponent('漢')}`)).toEqual(['茶 漢字']);
  expect(await quotes('?q=%25&limit=100')).toEqual(['100%']);
  expect(await quotes('?q=absent')).toEqual([]);
  const first = await list(`?memoryId=${other}&limit=2`);
  expect(first.highlights.length).toBe(2);
  const second = await list(`?memoryId=${other}&limit=2&cursor=${first.nextCursor}`);
  expect([second.highlights.length, second.nextCursor]).toEqual([1, null]);
  expect((await list('?cursor=x')).errors[0].pointer).toBe('/cursor');
});

test('HLT-3: the longest search has an answer, and too many words are an error', async () => {
  const words = (count: number) => Array.from({ length: count }, (_, at) => at.toString(36)).join('+');
  expect((await list(`?q=${words(100)}`)).highlights).toEqual([]);
  expect((await list(`?q=${'a+'.repeat(900)}`)).highlights).toEqual(expect.any(Array));
  expect((await list(`?q=${words(600)}`)).errors[0].pointer).toBe('/q');
  expect((await list(`?q=${'x'.repeat(2_001)}`)).errors[0].pointer).toBe('/q');
});

test('HLT-4: the highlights of a deleted memory are hidden, and come back with it', async () => {
  const { id } = (await create({ quote: 'Green' })).body;
  const count = (await list()).highlights.length;
  await server.core.memories.remove(LOCAL_USER, memoryId);
  expect((await list()).highlights.length).toBeLessThan(count);
  expect((await server.send('DELETE', `/api/v1/highlights/${id}`)).status).toBe(404);
  expect((await create({ quote: 'x' })).status).toBe(404);
  await server.core.memories.restore(LOCAL_USER, memoryId);
  expect((await list()).highlights.length).toBe(count);
});

test('HLT-5: changes the colour or the note of a highlight, and leaves the other unchanged', async () => {
  const { body } = await create({ quote: 'steeped', note: 'How?', colour: 'green' });
  const patch = async (change: object) => (await server.send('PATCH', `/api/v1/highlights/${body.id}`, change)).body;
  expect(body).toMatchObject({ colour: 'green', note: 'How?' });
  expect(await patch({ colour: 'blue' })).toMatchObject({ colour: 'blue', note: 'How?' });
  expect(await patch({ note: null })).toMatchObject({ colour: 'blue', note: null });
  for (const wrong of [{}, { colour: 'red' }, { colour: null }]) expect((await patch(wrong)).status).toBe(400);
});
