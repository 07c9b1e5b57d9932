import { type Operation, operations, type Role, type Scope } from '@recollect/contract';
import { LOCAL_USER, type Quota } from '@recollect/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from './start-test-server.js';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ metrics: true });
});
afterAll(() => server.close());

/** The headers of a new person of a role, with a key. */
async function headersOf(role: Role, scopes: Scope[] = ['admin']) {
  const { id } = await server.core.people.create({ name: role, role });
  const { key } = await server.core.apiKeys.create(id, { scopes });
  return { authorization: `Bearer ${key}` };
}

const operated = Object.entries<Operation>(operations).filter(([, { scope }]) => scope === 'operate');

describe('PPL-3: operating the deployment', () => {
  test.each(operated)('%s is refused to a member and a guest', async (_, { method, path }) => {
    for (const role of ['member', 'guest'] as const) {
      const { status, body } = await server.send(
        method,
        path.replace(/\{\w+\}/g, 'x'),
        method === 'GET' ? undefined : null,
        await headersOf(role),
      );
      expect([role, status, body.code, body.detail]).toEqual([
        role,
        403,
        'OWNER_ONLY',
        expect.stringContaining('Ask the person who invited you'),
      ]);
    }
  });

  test('is allowed to an owner with the scope admin, and with operate only', async () => {
    for (const scopes of [['admin'], ['operate']] as const) {
      const { id } = await server.core.people.create({ name: 'Second owner', role: 'owner' });
      const { key } = await server.core.apiKeys.create(id, { scopes });
      const headers = { authorization: `Bearer ${key}` };
      expect((await server.send('GET', '/api/v1/status', undefined, headers)).status).toBe(200);
    }
    const headers = await headersOf('owner', ['operate']);
    for (const path of ['/api/v1/memories', '/api/v1/api-keys', '/api/v1/export'])
      expect((await server.send('GET', path, undefined, headers)).body.code).toBe('SCOPE_MISSING');
  });

  test('refuses a member who changes a plugin for everyone, or gives a key the scope operate', async () => {
    const headers = await headersOf('member');
    for (const body of [
      { action: 'enable', slug: 'counter' },
      { action: 'disable', slug: 'counter' },
      { action: 'configure', slug: 'counter', config: {} },
      { action: 'install', slug: 'counter' },
      { action: 'uninstall', slug: 'counter' },
    ])
      expect([body, (await server.send('POST', '/api/v1/plugins', body, headers)).body.code]).toEqual([
        body,
        'OWNER_ONLY',
      ]);
    const { body } = await server.send('POST', '/api/v1/api-keys', { scopes: ['operate'] }, headers);
    expect(body.code).toBe('OWNER_ONLY');
  });
});

test('PPL-3: a member manages their own memories and keys, which others do not see', async () => {
  const headers = await headersOf('member');
  const saved = await server.send('POST', '/api/v1/capture', { pageText: 'The secret of a member.' }, headers);
  expect(saved.status).toBe(200);
  const { id } = saved.body.captures[0];
  const made = await server.send('POST', '/api/v1/api-keys', { name: 'phone' }, headers);
  expect(made.status).toBe(201);
  const names = async (as?: Record<string, string>) =>
    (await server.send('GET', '/api/v1/api-keys', undefined, as)).body.apiKeys.map(
      ({ name }: { name: string }) => name,
    );
  expect(await names(headers)).toContain('phone');
  expect(await names()).not.toContain('phone');
  const get = (as?: Record<string, string>) => server.send('GET', `/api/v1/memories/${id}`, undefined, as);
  expect([(await get(headers)).status, (await get()).status]).toEqual([200, 404]);
  expect((await get(await headersOf('member'))).status).toBe(404);
});

test('PPL-3: a guest reads, and can do nothing else', async () => {
  const headers = await headersOf('guest');
  expect((await server.send('GET', '/api/v1/memories', undefined, headers)).status).toBe(200);
  for (const [path, body] of [
    ['/api/v1/capture', { pageText: 'x' }],
    ['/api/v1/api-keys', {}],
    ['/api/v1/trash/empty', {}],
  ] as const) {
    const refused = await server.send('POST', path, body, headers);
    expect([path, refused.status, refused.body.detail]).toEqual([
      path,
      403,
      expect.stringContaining('Guests can only'),
    ]);
  }
});

test('PPL-1: a changed role and state take effect at the next request', async () => {
  const { id } = await server.core.people.create({ name: 'Ann', role: 'owner' });
  const { key } = await server.core.apiKeys.create(id, { scopes: ['admin'] });
  const status = async () =>
    (await server.send('GET', '/api/v1/status', undefined, { authorization: `Bearer ${key}` })).status;
  expect(await status()).toBe(200);
  await server.core.people.change(id, { role: 'member' });
  expect(await status()).toBe(403);
  await server.core.people.change(id, { state: 'suspended' });
  expect(await status()).toBe(401);
});

test('PPL-11: an operator with admin exports everything that a person has', async () => {
  const { id } = await server.core.people.create({ name: 'Ann' });
  await server.core.capture(id, [{ title: 'Of Ann', pageText: 'The text of Ann.' }]);
  const path = `/api/v1/people/${id}/export`;
  const exported = await server.send('GET', path);
  expect([exported.status, exported.headers.get('content-type')]).toEqual([200, 'application/x-ndjson']);
  expect(exported.body.trim().split('\n')).toEqual([
    expect.stringContaining('"recollect":"export"'),
    expect.stringContaining('The text of Ann.'),
    expect.stringContaining('"memories":1'),
  ]);
  expect((await server.send('GET', '/api/v1/people/nobody/export')).status).toBe(404);
  expect((await server.send('GET', path, undefined, await headersOf('owner', ['operate']))).body.code).toBe(
    'SCOPE_MISSING',
  );
  const { entries } = (await server.send('GET', '/api/v1/audit')).body;
  expect(entries[0]).toMatchObject({ operation: 'exportPerson', target: id, actorId: LOCAL_USER });
});

describe('PPL-7: a quota', () => {
  const personWith = async (quota: Partial<Quota>) => {
    const { id } = await server.core.people.create({ name: 'Ann', quota });
    const { key } = await server.core.apiKeys.create(id, { scopes: ['admin'] });
    const headers = { authorization: `Bearer ${key}` };
    const capture = (text: string) => server.send('POST', '/api/v1/capture', { pageText: text }, headers);
    return { id, headers, capture };
  };

  test('of memories refuses captures and imports with 403, and nothing that makes room', async () => {
    const { headers, capture } = await personWith({ memories: 1 });
    const saved = await capture('The first text.');
    const { status, body } = await capture('The second text.');
    expect([status, body.code, body.detail]).toEqual([
      403,
      'QUOTA_EXCEEDED',
      'Your quota is 1 memories. Delete some of them, or ask the person who runs this deployment for more.',
    ]);
    const exported = await server.send('GET', '/api/v1/export', undefined, headers);
    expect(exported.body).toContain('The first text.');
    const { id } = saved.body.captures[0];
    expect((await server.send('DELETE', `/api/v1/memories/${id}`, undefined, headers)).status).toBe(204);
    expect((await capture('The second text.')).status).toBe(200);
    expect((await server.send('POST', `/api/v1/memories/${id}/restore`, null, headers)).body.code).toBe(
      'QUOTA_EXCEEDED',
    );
    expect((await server.send('POST', '/api/v1/trash/empty', {}, headers)).body).toEqual({ deleted: 1 });
  });

  test('of bytes counts texts, and one person is not limited by what another has', async () => {
    const [ann, bob] = [await personWith({ bytes: 1_000 }), await personWith({ bytes: 1_000 })];
    const long = Array(40).fill('Green tea is steeped.').join(' ');
    expect((await ann.capture(long)).status).toBe(200);
    expect((await ann.capture(`${long} again`)).body.detail).toContain('1000 bytes');
    expect((await bob.capture(long)).status).toBe(200);
    const { body } = await server.send('GET', '/api/v1/people');
    const sizes = body.people.filter(({ id }: { id: string }) => [ann.id, bob.id].includes(id));
    expect(sizes.map(({ bytes }: { bytes: number }) => bytes)).toEqual([long.length, long.length]);
  });

  test('of captures a minute counts for all keys of a person, and for no other', async () => {
    const limited = await startTestServer({ policy: { limitsRequests: true } });
    const keyOf = async (id: string) => (await limited.core.apiKeys.create(id)).key;
    const { id } = await limited.core.people.create({ name: 'Ann', quota: { capturesPerMinute: 3 } });
    const other = await limited.core.people.create({ name: 'Bob' });
    const capture = async (key: string) => {
      const headers = { authorization: `Bearer ${key}` };
      return (await limited.send('POST', '/api/v1/capture', { pageText: 'tea' }, headers)).status;
    };
    const keys = [await keyOf(id), await keyOf(id)] as const;
    const statuses = [];
    for (const key of [keys[0], keys[1], keys[0], keys[1], await keyOf(other.id)]) statuses.push(await capture(key));
    expect(statuses).toEqual([200, 200, 200, 429, 200]);
    await limited.close();
  });

  test('cannot limit the owner of the machine', async () => {
    const { status } = await server.send('PATCH', '/api/v1/people/local', { quota: { memories: 1 } });
    expect(status).toBe(400);
  });
});
