import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from './start-test-server.js';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const save = async (capture: Record<string, unknown>): Promise<string> =>
  (await server.send('POST', '/api/v1/capture', capture)).body.captures[0].id;

test('MEM-10: a former state is read and restored by the number of its change', async () => {
  const id = await save({ pageText: 'first', title: 'One', tags: ['a'], note: 'n' });
  await server.send('PATCH', `/api/v1/memories/${id}`, { text: 'second', title: 'Two', tags: [], note: null });
  const listed = await server.send('GET', `/api/v1/memories/${id}/history`);
  expect(listed.body).toMatchObject({ oldest: 0, history: [{ number: 1, kind: 'edited' }] });
  expect(JSON.stringify(listed.body)).not.toContain('first');
  const state = await server.send('GET', `/api/v1/memories/${id}/history/0`);
  expect([state.status, state.body]).toEqual([
    200,
    { number: 0, at: expect.any(String), title: 'One', tags: ['a'], note: 'n', text: 'first' },
  ]);
  const restored = await server.send('POST', `/api/v1/memories/${id}/history/0/restore`);
  expect(restored.body).toMatchObject({ title: 'One', tags: ['a'], note: 'n', text: 'first' });
  const undone = await server.send('POST', `/api/v1/changes/${restored.body.changeId}/undo`);
  expect(undone.body).toMatchObject({ changed: 1 });
  expect((await server.send('GET', `/api/v1/memories/${id}`)).body).toMatchObject({ title: 'Two', text: 'second' });
  const wrong = ['9', '-1', '1.5', 'x', '0x1', '99999999999999999999'];
  for (const path of wrong.map((number) => `${id}/history/${number}`).concat('unknown/history/0')) {
    const got = await server.send('GET', `/api/v1/memories/${path}`);
    const put = await server.send('POST', `/api/v1/memories/${path}/restore`);
    expect([path, got.status, put.status]).toEqual([path, 404, 404]);
  }
});

test('MEM-11: the versions of a page are listed, and a query returns the best of them', async () => {
  const url = 'https://news.example/a';
  const one = await save({ url, pageText: 'Basalt in summer', title: 'One' });
  const two = await save({ url, pageText: 'Basalt in autumn', title: 'Two' });
  const { body } = await server.send('GET', `/api/v1/memories/${one}/versions`);
  expect(body.versions.map(({ id, characters }: Record<string, unknown>) => [id, characters])).toEqual([
    [two, 16],
    [one, 16],
  ]);
  expect((await server.send('GET', '/api/v1/memories/unknown/versions')).status).toBe(404);
  const { results } = (await server.send('POST', '/api/v1/capture/query', { query: 'basalt summer' })).body;
  expect(results).toMatchObject([{ id: one, versions: 2 }]);
});

test('MEM-5: a history has the values that were replaced, and a change of many is undone for one of them', async () => {
  const note = 'a\nlong note';
  const [one, other] = [await save({ pageText: 'x', tags: ['a'], note }), await save({ pageText: 'y', tags: ['a'] })];
  const { changeId } = (await server.send('POST', '/api/v1/tags/rename', { tags: ['a'], to: 'b' })).body;
  await server.send('PATCH', `/api/v1/memories/${one}`, { note: null, text: 'z' });
  const { body } = await server.send('GET', `/api/v1/memories/${one}/history`);
  expect(body.history).toMatchObject([{ before: { note } }, { changeId, before: { tags: ['a'] } }]);
  expect(body.history[0].before).not.toHaveProperty('text');
  const undo = (memoryId: string) =>
    server.send('POST', `/api/v1/changes/${changeId}/undo?${new URLSearchParams({ memoryId })}`);
  expect((await undo(one)).body).toMatchObject({ changed: 1, skipped: 0 });
  const tagsOf = async (id: string) => (await server.send('GET', `/api/v1/memories/${id}`)).body.tags;
  expect([await tagsOf(one), await tagsOf(other)]).toEqual([['a'], ['b']]);
  expect((await undo(one)).body).toMatchObject({ changed: 0, skipped: 1, changeId: null });
  const unknown = await undo('unknown');
  expect([unknown.status, unknown.body.detail]).toEqual([404, 'The change is not one of this memory.']);
});
