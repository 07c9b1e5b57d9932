import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { extensionOrigin, type Operation, operations, type Scope, scopes } from '@recollect/contract';
import { createApiKey, createCore, LOCAL_USER } from '@recollect/core';
import { createFakeClock } from '@recollect/core/testing';
import { defaultPolicy } from '@recollect/server/access-policy';
import { addGate } from '@recollect/server/gate';
import { openStorage } from '@recollect/storage';
import { fastify } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendRaw } from './raw-request.js';
import { startTestServer, type TestServer } from './start-test-server.js';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ policy: { allowedOrigins: ['https://notes.example'] } });
});
afterAll(() => server.close());

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const keyFor = async (...given: Scope[]) => (await server.core.apiKeys.create(LOCAL_USER, { scopes: given })).key;

/** A request as from an address bar. fetch would send a different mode. */
const navigate = (path: string) =>
  sendRaw(
    server.port,
    `GET ${path} HTTP/1.1\nHost: localhost:${server.port}\nSec-Fetch-Site: none\nSec-Fetch-Mode: navigate\nConnection: close\n\n`,
  );

describe('keys over HTTP', () => {
  test('KEY-1: creates a key, shows it once, lists it without its secret, and revokes it', async () => {
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    const made = await server.send('POST', '/api/v1/api-keys', { name: ' phone ', scopes: ['memory:read'], expiresAt });
    expect(made.status).toBe(201);
    const { key, apiKey } = made.body;
    expect(key).toMatch(/^rec_[0-9A-Za-z]{49}$/);
    expect(apiKey).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'phone',
      prefix: key.slice(0, 12),
      scopes: ['memory:read'],
      createdAt: expect.any(String),
      lastUsedAt: null,
      expiresAt,
    });
    const listed = await server.send('GET', '/api/v1/api-keys');
    expect([listed.status, listed.body.apiKeys[0]]).toEqual([200, apiKey]);
    expect(JSON.stringify(listed.body)).not.toContain(key.slice(12));

    expect((await server.send('GET', '/api/v1/memories', undefined, bearer(key))).status).toBe(200);
    const revoked = await server.send('DELETE', `/api/v1/api-keys/${apiKey.id}`);
    expect([revoked.status, revoked.body]).toEqual([204, '']);
    const after = await server.send('GET', '/api/v1/memories', undefined, bearer(key));
    expect([after.status, after.body.code]).toEqual([401, 'API_KEY_INVALID']);
    expect((await server.send('DELETE', `/api/v1/api-keys/${apiKey.id}`)).status).toBe(404);
  });

  test('KEY-1: without a body, creates a key that has every scope but admin and operate, and does not expire', async () => {
    for (const body of [undefined, {}, { name: null, scopes: null, expiresAt: null }, { name: ' ', expiresAt: '' }]) {
      const { status, body: made } = await server.send('POST', '/api/v1/api-keys', body);
      expect(status).toBe(201);
      expect(made.apiKey).toMatchObject({ name: null, expiresAt: null });
      expect(made.apiKey.scopes).toEqual(scopes.filter((scope) => scope !== 'admin' && scope !== 'operate'));
    }
  });

  test('KEY-1: rejects invalid input per field and creates no key', async () => {
    const count = (await server.core.apiKeys.list(LOCAL_USER)).apiKeys.length;
    const wrong: [unknown, string][] = [
      [{ scopes: ['everything'] }, '/scopes/0'],
      [{ scopes: [] }, '/scopes'],
      [{ scopes: ['admin', 'admin'] }, '/scopes'],
      [{ scopes: 'admin' }, '/scopes'],
      // A mistyped field would create a key with more rights than intended.
      [{ scope: 'memory:read' }, ''],
      [{ name: 'x'.repeat(101) }, '/name'],
      [{ expiresAt: 'tomorrow' }, '/expiresAt'],
      [{ expiresAt: '2020-01-01' }, '/expiresAt'],
    ];
    for (const [body, pointer] of wrong) {
      const answer = await server.send('POST', '/api/v1/api-keys', body);
      expect([body, answer.status, answer.body.code, answer.body.errors?.[0]?.pointer]).toEqual([
        body,
        400,
        'VALIDATION_FAILED',
        pointer,
      ]);
    }
    expect((await server.core.apiKeys.list(LOCAL_USER)).apiKeys.length).toBe(count);
  });

  test('KEY-2: rejects an invalid key on every path, even public or unknown ones, and says what to do', async () => {
    const key = createApiKey();
    for (const path of [
      '/healthz',
      '/openapi.json',
      '/docs',
      '/',
      '/nothing',
      '/api/v1/memories',
      '/api/v1/extension/setup',
    ]) {
      const answer = await server.send('GET', path, undefined, bearer(key));
      expect([path, answer.status, answer.headers.get('www-authenticate')]).toEqual([
        path,
        401,
        'Bearer error="invalid_token"',
      ]);
      expect(answer.body.detail).toMatch(/recollect keys create/);
      expect(JSON.stringify(answer.body)).not.toContain(key);
    }
  });

  test('SEC-8: each key may use exactly the operations that its scopes allow, over the whole table', async () => {
    const target = (path: string) => path.replace(/\{\w+\}/g, 'x');
    const wanted = (scope: Operation['scope'], held: Scope) =>
      scope === 'public' ||
      scope === 'any' ||
      held === 'admin' ||
      scope === held ||
      (scope === 'jobs:run' && held === 'jobs:manage');
    for (const held of scopes) {
      const key = await keyFor(held);
      for (const [id, operation] of Object.entries<Operation>(operations)) {
        if (operation.produces === 'text/event-stream') {
          const { status } = await server.send('HEAD', target(operation.path), undefined, bearer(key));
          expect([held, id, status]).toEqual([held, id, wanted(operation.scope, held) ? 200 : 403]);
          continue;
        }
        const answer = await server.send(
          operation.method,
          target(operation.path),
          operation.method === 'GET' ? undefined : {},
          bearer(key),
        );
        const isRefused = answer.body?.code === 'SCOPE_MISSING';
        // The memories of a person need both scopes.
        const scope = id === 'exportPerson' && held === 'operate' ? 'admin' : operation.scope;
        expect([held, id, isRefused]).toEqual([held, id, !wanted(scope, held)]);
        if (isRefused) expect([answer.status, answer.body.detail]).toEqual([403, expect.stringContaining(scope)]);
      }
    }
  });

  test('SEC-8: records the last use of a key', async () => {
    const { key, apiKey } = await server.core.apiKeys.create(LOCAL_USER);
    const before = Date.now();
    await server.send('GET', '/healthz', undefined, bearer(key));
    const { body } = await server.send('GET', '/api/v1/api-keys');
    const listed = body.apiKeys.find(({ id }: { id: string }) => id === apiKey.id);
    expect(Date.parse(listed.lastUsedAt)).toBeGreaterThanOrEqual(before);
  });

  test('SEC-8: accepts a key where one is required, with the scheme in any letter case', async () => {
    const closed = await startTestServer({ policy: { auth: 'required' } });
    try {
      const { key } = await closed.core.apiKeys.create(LOCAL_USER);
      expect((await closed.send('GET', '/api/v1/memories')).status).toBe(401);
      for (const scheme of ['Bearer', 'bearer', 'BEARER'])
        expect(
          (await closed.send('GET', '/api/v1/memories', undefined, { authorization: `${scheme} ${key}` })).status,
        ).toBe(200);
    } finally {
      await closed.close();
    }
  });

  test('KEY-2: rejects every key when keys cannot be read', async () => {
    const broken = await startTestServer();
    try {
      const { key } = await broken.core.apiKeys.create(LOCAL_USER);
      await broken.storage.close();
      const answer = await broken.send('GET', '/openapi.json', undefined, bearer(key));
      expect([answer.status, answer.body.code]).toEqual([503, 'UNAVAILABLE']);
    } finally {
      await broken.close();
    }
  });
});

describe('the owner', () => {
  const make = (headers: Record<string, string>) => server.send('POST', '/api/v1/api-keys', {}, headers);

  test('SEC-9: programs and its own pages may create keys; extensions, listed origins and the address bar may not', async () => {
    expect((await make({})).status).toBe(201);
    expect((await make({ origin: server.address, 'sec-fetch-site': 'same-origin' })).status).toBe(201);
    for (const origin of [extensionOrigin, 'https://notes.example']) {
      const answer = await make({ origin });
      expect([origin, answer.status, answer.body.code]).toEqual([origin, 403, 'OWNER_ONLY']);
    }
    const typed = await navigate('/api/v1/api-keys');
    expect(typed.body.code).toBe('OWNER_ONLY');
  });

  test('SEC-9: a key acts for the owner only with the scope admin, and never from an extension or a listed origin', async () => {
    const [owner, other] = [await keyFor('admin'), await keyFor('memory:read', 'memory:write', 'capture:write')];
    expect((await make(bearer(owner))).status).toBe(201);
    expect((await make(bearer(other))).body.code).toBe('SCOPE_MISSING');
    for (const origin of [
      extensionOrigin,
      'https://notes.example',
      'chrome-extension://abcdefghijklmnopabcdefghijklmnop',
    ]) {
      const answer = await make({ origin, ...bearer(owner) });
      expect([origin, answer.status, answer.body.code]).toEqual([origin, 403, 'OWNER_ONLY']);
    }
  });
});

test('SEC-9: under a name for which browsers send no origin headers, managing keys needs an admin key', async () => {
  const named = await startTestServer({ policy: { allowedHosts: ['memory.lan'] } });
  try {
    const { key } = await named.core.apiKeys.create(LOCAL_USER, { scopes: ['admin'] });
    const ask = (more = '') =>
      sendRaw(named.port, `GET /api/v1/api-keys HTTP/1.1\nHost: memory.lan\n${more}Connection: close\n\n`);
    expect((await ask()).body.code).toBe('OWNER_ONLY');
    expect((await ask(`Authorization: Bearer ${key}\n`)).status).toBe(200);
  } finally {
    await named.close();
  }
});

describe('extensions', () => {
  const stranger = { origin: 'chrome-extension://abcdefghijklmnopabcdefghijklmnop' };
  const firefox = { origin: 'moz-extension://3c7b1a52-1d4c-4c3b-9a57-6f1f7c3b2a10' };

  test('SEC-5: the pinned extension needs no key on the same machine, and its origin is echoed', async () => {
    const answer = await server.send('POST', '/api/v1/capture/query', { query: 'x' }, { origin: extensionOrigin });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, extensionOrigin]);
    expect(
      (await server.send('POST', '/api/v1/capture', { pageText: 'by the extension' }, { origin: extensionOrigin }))
        .status,
    ).toBe(200);
  });

  test('SEC-5: other extensions need a key and get no CORS header', async () => {
    const key = await keyFor('memory:read');
    for (const origin of [stranger, firefox]) {
      const refused = await server.send('POST', '/api/v1/capture/query', { query: 'x' }, origin);
      expect([refused.status, refused.body.code]).toEqual([403, 'ORIGIN_NOT_ALLOWED']);
      const taken = await server.send('POST', '/api/v1/capture/query', { query: 'x' }, { ...origin, ...bearer(key) });
      expect([taken.status, taken.headers.get('access-control-allow-origin')]).toEqual([200, null]);
    }
  });

  test('SEC-17: a GET of an extension without an Origin needs a key unless the operation is public', async () => {
    const shape = { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'cors' };
    for (const path of [
      '/api/v1/memories',
      '/api/v1/capture/query?q=x',
      '/api/v1/reindex',
      '/api/v1/api-keys',
      '/nothing',
    ]) {
      const answer = await server.send('GET', path, undefined, shape);
      expect([path, answer.status, answer.body.code]).toEqual([path, 403, 'ORIGIN_NOT_ALLOWED']);
    }
    for (const path of ['/healthz', '/api/v1/extension/setup'])
      expect((await server.send('GET', path, undefined, shape)).status).toBe(200);
    const key = await keyFor('memory:read');
    expect((await server.send('GET', '/api/v1/memories', undefined, { ...shape, ...bearer(key) })).status).toBe(200);
    // A typed address is the user's own request.
    expect((await navigate('/api/v1/memories')).status).toBe(200);
  });
});

describe('keys in the store', () => {
  test('SEC-8: rejects a key from the instant it expires, and keeps it in the list', async () => {
    const clock = createFakeClock();
    const storage = await openStorage({ url: 'sqlite::memory:' });
    const { apiKeys } = createCore({ ...storage, clock });
    const expiresAt = new Date(clock.now().getTime() + 60_000).toISOString();
    const { key } = await apiKeys.create(LOCAL_USER, { expiresAt });
    clock.advance(59_999);
    expect(await apiKeys.authenticate(key)).toMatchObject({ userId: LOCAL_USER });
    clock.advance(1);
    expect(await apiKeys.authenticate(key)).toBeNull();
    expect((await apiKeys.list(LOCAL_USER)).apiKeys).toMatchObject([{ expiresAt }]);
    await storage.close();
  });

  test('SEC-8: writes the last use at most once a minute, and a failed write fails no request', async () => {
    const clock = createFakeClock();
    const storage = await openStorage({ url: 'sqlite::memory:' });
    let writes = 0;
    const touch: typeof storage.apiKeys.touch = (...given) => {
      writes += 1;
      return writes === 3 ? Promise.reject(new Error('full')) : storage.apiKeys.touch(...given);
    };
    const { apiKeys } = createCore({ ...storage, clock, apiKeys: { ...storage.apiKeys, touch } });
    const { key } = await apiKeys.create(LOCAL_USER);
    const use = async () => {
      await Promise.all(Array.from({ length: 20 }, () => apiKeys.authenticate(key)));
      await apiKeys.list(LOCAL_USER);
    };
    await use();
    await use();
    expect(writes).toBe(1);
    clock.advance(60_000);
    await use();
    expect(writes).toBe(2);
    clock.advance(60_000);
    expect(await apiKeys.authenticate(key)).not.toBeNull();
    await storage.close();
  });

  test('SEC-8: a revocation takes effect at once on another connection to the store, and no file contains the key', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'recollect-keys-'));
    const url = `sqlite:${join(folder, 'recollect.db')}`;
    const [one, other] = [await openStorage({ url }), await openStorage({ url })];
    const [making, using] = [createCore(one).apiKeys, createCore(other).apiKeys];
    for (let round = 0; round < 20; round++) {
      const { key, apiKey } = await making.create(LOCAL_USER);
      expect(await using.authenticate(key)).not.toBeNull();
      await making.revoke(LOCAL_USER, apiKey.id);
      expect(await using.authenticate(key)).toBeNull();
    }
    const { key } = await making.create(LOCAL_USER);
    // One after the other: if both close at the same time, SQLite may leave the WAL, and what is in it.
    await one.close();
    await other.close();
    for (const file of await readdir(folder)) {
      const bytes = await readFile(join(folder, file), 'latin1');
      if (file === 'recollect.db') expect(bytes.includes(key.slice(0, 12))).toBe(true);
      expect(bytes.includes(key.slice(12))).toBe(false);
    }
    await rm(folder, { recursive: true });
  });
});

test('SEC-8: refuses to add a route that is not an operation', () => {
  const app = fastify();
  addGate(app, defaultPolicy, server.core);
  expect(() => app.get('/unguarded', async () => 'x')).toThrow('/unguarded is not an operation');
  expect(() => app.get('/guarded', { config: { operation: operations.health } }, async () => 'x')).not.toThrow();
});

test('SEC-8: an operation without a scope does not compile', () => {
  // @ts-expect-error An operation names its scope; the compiler, not this line, is the test.
  const unguarded: Operation = { method: 'GET', path: '/x', summary: '', answers: { 200: null }, problems: [] };
  expect(unguarded.scope).toBeUndefined();
});
