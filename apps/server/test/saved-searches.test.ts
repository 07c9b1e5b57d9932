import { SavedSearch, validate } from '@recollect/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from './start-test-server.js';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const PATH = '/api/v1/saved-searches';
const names = async () =>
  (await server.client('listSavedSearches', {})).savedSearches.map(({ name, query }) => [name, query]);

test('MEM-15: keeps searches by name, changes and deletes them', async () => {
  const { status, body } = await server.send('POST', PATH, { name: ' To  read ', query: 'is:unread\ttea' });
  expect([status, validate(SavedSearch, body)]).toEqual([201, []]);
  await server.send('POST', PATH, { name: 'papers', query: 'tag:papers' });
  expect(await names()).toEqual([
    ['papers', 'tag:papers'],
    ['To read', 'is:unread tea'],
  ]);
  const taken = await server.send('POST', PATH, { name: 'PAPERS', query: 'x' });
  expect([taken.status, taken.body.code, taken.body.detail]).toEqual([
    409,
    'NAME_TAKEN',
    'Another saved search has this name. Choose another name.',
  ]);
  expect((await server.send('PATCH', `${PATH}/${body.id}`, { name: 'Papers' })).status).toBe(409);
  expect((await server.send('PATCH', `${PATH}/${body.id}`, { query: 'is:starred' })).body).toMatchObject({
    name: 'To read',
    query: 'is:starred',
  });
  expect((await server.send('DELETE', `${PATH}/${body.id}`)).status).toBe(204);
  expect(await names()).toEqual([['papers', 'tag:papers']]);
});

test('MEM-15: changes of a name and of a query at the same time are both kept', async () => {
  const { body } = await server.send('POST', PATH, { name: 'both', query: 'x' });
  for (let round = 0; round < 5; round++) {
    const changes = [{ name: `both ${round}` }, { query: `tea ${round}` }];
    await Promise.all(changes.map((change) => server.send('PATCH', `${PATH}/${body.id}`, change)));
    expect(await names()).toContainEqual([`both ${round}`, `tea ${round}`]);
  }
  await server.send('DELETE', `${PATH}/${body.id}`);
});

test('MEM-15: rejects invalid searches and unknown ids', async () => {
  for (const [body, pointer] of [
    [{ name: ' \0', query: 'x' }, '/name'],
    [{ name: 'x', query: '\n' }, '/query'],
    [{ name: 'x'.repeat(101), query: 'x' }, '/name'],
    [{ name: 'x' }, '/query'],
    [{ name: 'x', query: 'x', colour: 'red' }, ''],
  ] as const) {
    const answer = await server.send('POST', PATH, body);
    expect([answer.status, answer.body.errors?.[0]?.pointer]).toEqual([400, pointer]);
  }
  expect((await server.send('PATCH', `${PATH}/unknown`, { name: 'x' })).status).toBe(404);
  expect((await server.send('DELETE', `${PATH}/unknown`)).status).toBe(404);
});
