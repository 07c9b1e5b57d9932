import type { Role } from '@recollect/contract';
import { LOCAL_USER } from '@recollect/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from './start-test-server.js';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

interface Person {
  id: string;
  headers: Record<string, string>;
}

async function addPerson(name: string, role: Role = 'member'): Promise<Person> {
  const { id } = await server.core.people.create({ name, role });
  const { key } = await server.core.apiKeys.create(id, { scopes: ['admin'] });
  return { id, headers: { authorization: `Bearer ${key}` } };
}

const owner: Person = { id: LOCAL_USER, headers: {} };
const send = (person: Person, method: string, path: string, body?: unknown) =>
  server.send(method, path, body, person.headers);
const save = async (person: Person, title: string, more: object = {}): Promise<string> => {
  const { body } = await send(person, 'POST', '/api/v1/capture', { title, pageText: `The text of ${title}.`, ...more });
  return body.captures[0].id;
};
const share = async (person: Person, body: object) => send(person, 'POST', '/api/v1/shares', body);
const titles = async (person: Person, id: string, query = '') => {
  const { status, body } = await send(person, 'GET', `/api/v1/shared/${id}/memories${query}`);
  return status === 200 ? body.memories.map(({ title }: { title: string }) => title) : status;
};

describe('sharing', () => {
  test('SHR-1: names the other active people, and shares a tag with one of them', async () => {
    const ann = await addPerson('Ann');
    const gone = await addPerson('Gone');
    await server.core.people.change(gone.id, { state: 'suspended' });
    const names = (await send(owner, 'GET', '/api/v1/shares')).body.people.map(({ name }: { name: string }) => name);
    expect(names).toContain('Ann');
    expect(names).not.toContain('Gone');
    const made = await share(owner, { tag: 'Recipes', personId: ann.id });
    expect([made.status, made.body]).toMatchObject([
      201,
      { tag: 'Recipes', savedSearch: null, person: { id: ann.id, name: 'Ann' }, mayAdd: false, link: null },
    ]);
    const again = await share(owner, { tag: 'recipes', personId: ann.id, mayAdd: true });
    expect([again.body.id, again.body.mayAdd]).toEqual([made.body.id, true]);
    expect((await send(ann, 'DELETE', `/api/v1/shares/${made.body.id}`)).status).toBe(404);
    expect((await send(owner, 'DELETE', `/api/v1/shares/${made.body.id}`)).status).toBe(204);
    expect((await send(ann, 'GET', '/api/v1/shared')).body).toEqual({ shared: [] });
  });

  test.each([
    [{}],
    [{ tag: 'x' }],
    [{ tag: 'x', savedSearchId: 'y', isPublic: true }],
    [{ tag: ' ', isPublic: true }],
    [{ tag: 'x', personId: LOCAL_USER }],
    [{ tag: 'x', personId: 'y', isPublic: true }],
    [{ tag: 'x', isPublic: true, mayAdd: true }],
    [{ tag: 'x', personId: 'y', showsText: true }],
    [{ tag: 'x', isPublic: true, other: 1 }],
  ])('SHR-1: rejects %j', async (body) => {
    expect((await share(owner, body)).body.code).toBe('VALIDATION_FAILED');
  });

  test('SHR-1: needs the scope admin, and a person and a search that exist', async () => {
    const { key } = await server.core.apiKeys.create(LOCAL_USER, { scopes: ['memory:read', 'memory:write'] });
    const device = { id: LOCAL_USER, headers: { authorization: `Bearer ${key}` } };
    expect((await share(device, { tag: 'x', isPublic: true })).body.code).toBe('SCOPE_MISSING');
    expect((await share(await addPerson('Guest', 'guest'), { tag: 'x', isPublic: true })).status).toBe(403);
    expect((await share(owner, { tag: 'x', personId: 'nobody' })).status).toBe(404);
    expect((await share(owner, { savedSearchId: 'none', isPublic: true })).status).toBe(404);
  });
});

describe('reading a share', () => {
  test('SHR-2: shows the live memories of a tag, without what is private to their owner', async () => {
    const ann = await addPerson('Ann');
    const other = await addPerson('Other');
    const first = await save(owner, 'Soup', {
      tags: ['food', 'surprise party'],
      note: 'for the party',
      url: 'https://a.example/',
    });
    const second = await save(owner, 'Bread', { tags: ['Food'] });
    const outside = await save(owner, 'Diary', { tags: ['private'] });
    await server.core.highlights.create(LOCAL_USER, first, { quote: 'The text' });
    const { id } = (await share(owner, { tag: 'food', personId: ann.id })).body;
    expect((await send(ann, 'GET', '/api/v1/shared')).body.shared).toEqual([
      {
        id,
        name: 'food',
        kind: 'tag',
        owner: { id: LOCAL_USER, name: expect.any(String) },
        isOwn: false,
        mayAdd: false,
      },
    ]);
    expect(await titles(ann, id)).toEqual(['Bread', 'Soup']);
    const page = await send(ann, 'GET', `/api/v1/shared/${id}/memories?limit=1`);
    expect(await titles(ann, id, `?limit=1&cursor=${page.body.nextCursor}`)).toEqual(['Soup']);
    const at = (memory: string) => `/api/v1/shared/${id}/memories/${LOCAL_USER}/${memory}`;
    const shown = await send(ann, 'GET', at(first));
    expect(shown.body).toMatchObject({ title: 'Soup', text: 'The text of Soup.', url: 'https://a.example/' });
    expect(JSON.stringify([shown.body, page.body])).not.toMatch(/party|starred|readState|savedBy/);
    expect((await send(ann, 'GET', at(outside))).status).toBe(404);
    expect([await titles(other, id), (await send(other, 'GET', at(first))).status]).toEqual([404, 404]);
    expect((await send(ann, 'GET', `/api/v1/memories/${first}`)).status).toBe(404);
    await send(owner, 'DELETE', `/api/v1/memories/${second}`);
    expect([await titles(ann, id), (await send(ann, 'GET', at(second))).status]).toEqual([['Soup'], 404]);
    await send(owner, 'PATCH', `/api/v1/memories/${first}`, { tags: [] });
    expect([await titles(ann, id), (await send(ann, 'GET', at(first))).status]).toEqual([[], 404]);
  });

  test('SHR-2: follows a saved search, with words or with operators only', async () => {
    const ann = await addPerson('Ann');
    const match = await save(owner, 'Zebra facts', { tags: ['zoo'] });
    const outside = await save(owner, 'Something else');
    const { body: search } = await send(owner, 'POST', '/api/v1/saved-searches', { name: 'Animals', query: 'tag:zoo' });
    const { id } = (await share(owner, { savedSearchId: search.id, personId: ann.id })).body;
    const at = (memory: string) => `/api/v1/shared/${id}/memories/${LOCAL_USER}/${memory}`;
    const statuses = async () => [
      (await send(ann, 'GET', at(match))).status,
      (await send(ann, 'GET', at(outside))).status,
    ];
    expect([await titles(ann, id), await statuses()]).toEqual([['Zebra facts'], [200, 404]]);
    await send(owner, 'PATCH', `/api/v1/saved-searches/${search.id}`, { query: '"zebra facts"' });
    expect([await titles(ann, id), await statuses()]).toEqual([['Zebra facts'], [200, 404]]);
    await send(owner, 'DELETE', `/api/v1/saved-searches/${search.id}`);
    expect(await titles(ann, id)).toBe(404);
  });

  test('SHR-2: ends for a suspended owner, and with the person', async () => {
    const ann = await addPerson('Ann');
    const bob = await addPerson('Bob');
    await save(ann, 'Of Ann', { tags: ['t'] });
    const { id } = (await share(ann, { tag: 't', personId: bob.id })).body;
    expect(await titles(bob, id)).toEqual(['Of Ann']);
    await server.core.people.change(ann.id, { state: 'suspended' });
    expect(await titles(bob, id)).toBe(404);
    await server.core.people.change(ann.id, { state: 'active' });
    await server.core.people.remove(ann.id);
    expect(await titles(bob, id)).toBe(404);
  });
});

test('SHR-3: a person adds own memories to a tag, which stay theirs', async () => {
  const [ann, bob, cat] = [await addPerson('Ann'), await addPerson('Bob'), await addPerson('Cat')];
  await save(ann, 'Of Ann', { tags: ['trip'] });
  const { id } = (await share(ann, { tag: 'trip', personId: bob.id, mayAdd: true })).body;
  const { id: readOnly } = (await share(ann, { tag: 'trip', personId: cat.id })).body;
  const mine = await save(bob, 'Of Bob', { tags: ['trip'] });
  expect(await titles(bob, id)).toEqual(['Of Ann']);
  const add = (person: Person, to: string, memoryId: string) =>
    send(person, 'POST', `/api/v1/shared/${to}/memories`, { memoryId });
  expect((await add(bob, id, mine)).status).toBe(204);
  expect((await add(bob, id, mine)).status).toBe(204);
  const ofCat = await save(cat, 'Of Cat');
  expect((await add(cat, readOnly, ofCat)).body.code).toBe('OWNER_ONLY');
  expect((await add(ann, id, mine)).body.code).toBe('OWNER_ONLY');
  expect((await add(bob, id, ofCat)).status).toBe(404);
  for (const [person, at] of [
    [ann, id],
    [bob, id],
    [cat, readOnly],
  ] as const)
    expect(await titles(person, at)).toEqual(['Of Bob', 'Of Ann']);
  expect((await send(ann, 'GET', '/api/v1/shared')).body.shared).toMatchObject([{ id, isOwn: true, mayAdd: false }]);
  const at = `/api/v1/shared/${readOnly}/memories/${bob.id}/${mine}`;
  expect((await send(cat, 'GET', at)).body).toMatchObject({ personName: 'Bob', text: 'The text of Of Bob.' });
  expect((await send(cat, 'DELETE', at)).status).toBe(404);
  expect((await send(ann, 'GET', `/api/v1/memories/${mine}`)).status).toBe(404);
  await send(bob, 'DELETE', `/api/v1/memories/${mine}`);
  expect(await titles(cat, readOnly)).toEqual(['Of Ann']);
  await send(bob, 'POST', `/api/v1/memories/${mine}/restore`);
  expect(await titles(cat, readOnly)).toEqual(['Of Bob', 'Of Ann']);
  expect((await send(ann, 'DELETE', `/api/v1/shared/${id}/memories/${bob.id}/${mine}`)).status).toBe(204);
  expect(await titles(cat, readOnly)).toEqual(['Of Ann']);
  await add(bob, id, mine);
  await server.core.people.remove(bob.id);
  expect(await titles(cat, readOnly)).toEqual(['Of Ann']);
});
