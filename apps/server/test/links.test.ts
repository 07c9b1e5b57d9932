import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from './start-test-server.js';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const save = async (...captures: object[]) => {
  const { captures: saved } = await server.client('capture', { body: { captures } });
  return saved.map(({ id }) => id);
};
const linksOf = (id = '') => server.client('memoryLinks', { parameters: { id } });
const linkedFrom = async (id = '', limit?: number) => {
  const { memories } = await server.client('linkedFrom', { parameters: { id }, query: { limit } });
  return memories.map(({ title }) => title);
};

test('MEM-21: the address of a saved page in a note is a link, and in a web page it is not', async () => {
  const [tea, note, page] = await save(
    { title: 'Green tea', url: 'https://tea.example/green', pageText: 'Steep it below boiling.' },
    { title: 'Note', pageText: 'See https://tea.example/green?utm_source=mail#top, and (https://none.example/).' },
    { title: 'Page', url: 'https://other.example/', pageText: 'It names https://tea.example/green as well.' },
  );
  expect((await linksOf(note)).links).toEqual([
    { target: 'https://tea.example/green?utm_source=mail#top', id: tea, title: 'Green tea' },
  ]);
  expect((await linksOf(page)).links).toEqual([]);
  expect(await linkedFrom(tea)).toEqual(['Note']);
});

test('MEM-22: what links to a memory by name or address is listed, newest first, and follows changes', async () => {
  const [oolong] = await save({
    title: 'Oolong',
    url: 'https://tea.example/oolong',
    pageText: 'Between green and black.',
  });
  const [first, second] = await save(
    { title: 'First', pageText: 'Buy [[Oolong]].', capturedAt: '2026-01-01T00:00:00Z' },
    { title: 'Second', pageText: 'Read https://tea.example/oolong.', capturedAt: '2026-02-01T00:00:00Z' },
  );
  expect(await linkedFrom(oolong)).toEqual(['Second', 'First']);
  expect(await linkedFrom(oolong, 1)).toEqual(['Second']);
  const parameters = { id: second ?? '' };
  await server.client('updateMemory', { parameters, body: { text: 'Read something else.' } });
  expect(await linkedFrom(oolong)).toEqual(['First']);
  await server.client('updateMemory', { parameters, body: { text: 'Read <https://tea.example/oolong>.' } });
  await server.client('deleteMemory', { parameters: { id: first ?? '' } });
  expect(await linkedFrom(oolong)).toEqual(['Second']);
  await expect(linkedFrom('019f0c1e-7d3a-7000-8a51-3c1b2f4d5e6f')).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
