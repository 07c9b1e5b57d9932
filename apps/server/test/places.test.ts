import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from './start-test-server.js';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

async function save(capture: object): Promise<string> {
  const { body } = await server.send('POST', '/api/v1/capture', { capture });
  return body.captures[0].id;
}

const read = (id: string) => server.client('getMemory', { parameters: { id } });
const places = () => server.client('countPlaces', {});
const listed = async (filter: string) =>
  (await server.client('listMemories', { query: { filter } })).memories.map(({ title }) => title).sort();

async function importFile(name: string, content: string) {
  const response = await fetch(`${server.address}/api/v1/import?name=${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: content,
  });
  return (await response.json()) as { created: number; updated: number };
}

const pocket = (...rows: [url: string, status: string][]) =>
  `title,url,time_added,tags,status\n${rows.map(([url, status]) => `${url},${url},1700000000,,${status}`).join('\n')}\n`;
const find = async (url: string) =>
  read((await server.client('lookupMemories', { body: { urls: [url] } })).found[0]?.id ?? '');

test('MEM-18: a capture lands in the inbox, is moved, and does not move when captured again', async () => {
  const id = await save({ pageText: 'Place one', title: 'One' });
  await save({ pageText: 'Place two', title: 'Two', place: 'later' });
  const { updatedAt, place } = await read(id);
  expect(place).toBe('inbox');
  expect(await places()).toEqual({ inbox: 1, later: 1, archive: 0 });
  const moved = await server.client('updateMemory', { parameters: { id }, body: { place: 'archive' } });
  expect([moved.place, moved.updatedAt, moved.changeId]).toEqual(['archive', updatedAt, expect.any(String)]);
  await save({ pageText: 'Place one', title: 'One', place: 'inbox' });
  expect((await read(id)).place).toBe('archive');
  const { history } = await server.client('memoryHistory', { parameters: { id } });
  expect(history).toMatchObject([{ fields: ['place'], before: { place: 'inbox' } }]);
  await server.client('undoChange', { parameters: { id: moved.changeId ?? '' }, query: {} });
  expect((await read(id)).place).toBe('inbox');
  expect((await server.send('PATCH', `/api/v1/memories/${id}`, { place: 'attic' })).status).toBe(400);
});

test('MEM-18: lists, searches and changes select by the place', async () => {
  expect(await listed('is:inbox')).toEqual(['One']);
  expect(await listed('is:inbox is:later')).toEqual(['One', 'Two']);
  expect(await listed('-is:later')).toEqual(['One']);
  expect(await listed('-is:later -is:inbox')).toEqual([]);
  const { body } = await server.send('POST', '/api/v1/capture/query', { query: 'place', place: 'later' });
  expect(body.results.map(({ title, place }: { title: string; place: string }) => [title, place])).toEqual([
    ['Two', 'later'],
  ]);
  const change = await server.client('changeMemories', { body: { place: 'inbox', moveTo: 'archive' } });
  expect(change.changed).toBe(1);
  expect(await places()).toEqual({ inbox: 0, later: 1, archive: 1 });
  await server.client('undoChange', { parameters: { id: change.changeId ?? '' }, query: {} });
  expect(await places()).toEqual({ inbox: 1, later: 1, archive: 0 });
});

test('MEM-18: an import keeps the place of the other program, and moves nothing that the user moved', async () => {
  const [read1, later] = ['https://place.example/read', 'https://place.example/later'];
  await importFile('pocket.csv', pocket([read1, 'archive'], [later, 'unread']));
  expect([(await find(read1)).place, (await find(later)).place]).toEqual(['archive', 'later']);
  const bookmarks = '<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><DT><A HREF="https://place.example/b">B</A></DL>';
  await importFile('bookmarks.html', bookmarks);
  expect((await find('https://place.example/b')).place).toBe('archive');
  await importFile('pocket.csv', pocket([read1, 'unread'], [later, 'unread']));
  expect((await find(read1)).place).toBe('later');
  await server.client('updateMemory', { parameters: { id: (await find(later)).id }, body: { place: 'inbox' } });
  await server.client('updateMemory', { parameters: { id: (await find(read1)).id }, body: { place: 'archive' } });
  await importFile('pocket.csv', pocket([read1, 'unread'], [later, 'archive']));
  expect([(await find(read1)).place, (await find(later)).place]).toEqual(['archive', 'inbox']);
});
