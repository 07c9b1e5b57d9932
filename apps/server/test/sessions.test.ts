import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Scope } from '@recollect/contract';
import { createCore, LOCAL_USER } from '@recollect/core';
import { createFakeClock } from '@recollect/core/testing';
import { openStorage } from '@recollect/storage';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Answer, startTestServer, type TestServer } from './start-test-server.js';

const DAY = 86_400_000;
const clock = createFakeClock();
let server: TestServer;
beforeEach(async () => {
  server = await startTestServer({ policy: { auth: 'required' }, clock });
});
afterEach(() => server.close());

const keyOf = (scopes: Scope[] = ['admin'], more = {}) =>
  server.core.apiKeys.create(LOCAL_USER, { scopes, name: 'laptop', ...more });
/** Headers of the app's own page. */
const own = (cookie?: string) => ({ origin: server.address, ...(cookie === undefined ? {} : { cookie }) });
const post = (body: unknown, headers: Record<string, string>) => server.send('POST', '/api/v1/session', body, headers);
const cookieOf = ({ headers }: Answer) => headers.get('set-cookie')?.split(';')[0] ?? '';
const tokenOf = (cookie: string) => cookie.slice(cookie.indexOf('=') + 1);
const signIn = async (scopes?: Scope[], before?: string) =>
  cookieOf(await post({ apiKey: (await keyOf(scopes)).key, label: 'Browser' }, own(before)));
/** The status of a read that the page makes with a cookie. */
const read = async (cookie: string, path = '/api/v1/memories') =>
  (await server.send('GET', path, undefined, { cookie, 'sec-fetch-site': 'same-origin' })).status;
const state = async (headers: Record<string, string>) =>
  (await server.send('GET', '/api/v1/session', undefined, headers)).body;

describe('signing in', () => {
  test('SEC-19: opens a session with a key, and names what it may do', async () => {
    expect(await state(own())).toEqual({
      needsKey: true,
      scopes: null,
      sessionId: null,
      hasAccounts: false,
      provider: null,
    });
    const { key } = await keyOf(['memory:read']);
    const answer = await post({ apiKey: ` ${key}\n`, label: 'Firefox\non Linux' }, own());
    expect([answer.status, answer.body]).toEqual([
      200,
      { needsKey: true, scopes: ['memory:read'], sessionId: expect.any(String), hasAccounts: false, provider: null },
    ]);
    const header = answer.headers.get('set-cookie') ?? '';
    expect(header).toMatch(/^recollect=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict$/);
    expect(await state(own(cookieOf(answer)))).toEqual(answer.body);
    expect(await read(cookieOf(answer))).toBe(200);
    const [session] = (await server.core.sessions.list(LOCAL_USER)).sessions;
    expect(session).toMatchObject({ id: answer.body.sessionId, label: 'Firefox on Linux' });
  });

  test('SEC-19: the session may do what its key may do, and no more', async () => {
    const cookie = await signIn(['memory:read']);
    expect(await read(cookie)).toBe(200);
    for (const [method, path] of [
      ['POST', '/api/v1/capture'],
      ['POST', '/api/v1/memories/change'],
      ['POST', '/api/v1/trash/empty'],
      ['POST', '/api/v1/api-keys'],
    ] as const) {
      const { status, body } = await server.send(method, path, {}, own(cookie));
      expect([path, status, body.code]).toEqual([path, 403, 'SCOPE_MISSING']);
    }
    for (const path of ['/api/v1/sessions', '/api/v1/status', '/api/v1/api-keys'])
      expect(await read(cookie, path)).toBe(403);
    const writer = await signIn(['capture:write']);
    expect((await server.send('POST', '/api/v1/capture', { pageText: 'x' }, own(writer))).status).toBe(200);
    expect(await read(writer)).toBe(403);
  });

  test('SEC-19: a wrong key opens no session, and keeps the open one', async () => {
    const cookie = await signIn();
    const { key } = await keyOf();
    for (const apiKey of ['', 'rec_x', key.slice(0, -1), `${key} ${key}`, tokenOf(cookie)]) {
      const answer = await post({ apiKey }, own(cookie));
      expect([answer.status, answer.body.code, answer.headers.get('set-cookie')]).toEqual([
        401,
        'API_KEY_INVALID',
        null,
      ]);
    }
    for (const body of [{}, null, { apiKey: 1 }, { apiKey: key, admin: true }, { apiKey: key, label: 'x'.repeat(101) }])
      expect((await post(body, own())).status).toBe(400);
    expect(await read(cookie)).toBe(200);
  });

  test('SEC-19: signing in always makes a new token, and ends the former session of the browser', async () => {
    const invented = `recollect=${'A'.repeat(43)}`;
    const first = await signIn(['admin'], invented);
    expect(tokenOf(first)).not.toBe('A'.repeat(43));
    expect(await read(invented)).toBe(401);
    const second = await signIn(['admin'], first);
    expect(second).not.toBe(first);
    expect([await read(first), await read(second)]).toEqual([401, 200]);
    expect((await server.core.sessions.list(LOCAL_USER)).sessions.length).toBe(1);
  });
});

describe('the end of a session', () => {
  test('SEC-19: signing out ends it on the server too', async () => {
    const [cookie, other] = [await signIn(), await signIn()];
    const answer = await server.send('DELETE', '/api/v1/session', undefined, own(cookie));
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([
      204,
      'recollect=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict',
    ]);
    expect([await read(cookie), await read(other)]).toEqual([401, 200]);
    expect((await server.send('DELETE', '/api/v1/session', undefined, own())).status).toBe(204);
  });

  test('SEC-19: it ends after 30 days, or earlier with its key', async () => {
    const cookie = await signIn();
    const { key } = await keyOf(['admin'], { expiresAt: new Date(clock.now().getTime() + DAY).toISOString() });
    const short = cookieOf(await post({ apiKey: key }, own()));
    clock.advance(DAY - 1);
    expect([await read(cookie), await read(short)]).toEqual([200, 200]);
    clock.advance(1);
    expect([await read(cookie), await read(short)]).toEqual([200, 401]);
    clock.advance(29 * DAY - 1);
    expect(await read(cookie)).toBe(200);
    clock.advance(1);
    expect(await read(cookie)).toBe(401);
    expect((await server.core.sessions.list(LOCAL_USER)).sessions).toEqual([]);
  });

  test('SEC-19: it ends when the owner ends it, or revokes its key', async () => {
    const owner = await signIn();
    const { key, apiKey } = await keyOf(['memory:read']);
    const cookies = [cookieOf(await post({ apiKey: key }, own())), cookieOf(await post({ apiKey: key }, own()))];
    const { sessions } = (await server.send('GET', '/api/v1/sessions', undefined, own(owner))).body;
    expect(sessions.length).toBe(3);
    const { sessionId } = await state(own(cookies[0]));
    expect((await server.send('DELETE', `/api/v1/sessions/${sessionId}`, undefined, own(owner))).status).toBe(204);
    expect((await server.send('DELETE', `/api/v1/sessions/${sessionId}`, undefined, own(owner))).status).toBe(404);
    expect(await Promise.all(cookies.map((cookie) => read(cookie)))).toEqual([401, 200]);
    await server.send('DELETE', `/api/v1/api-keys/${apiKey.id}`, undefined, own(owner));
    expect(await Promise.all([...cookies, owner].map((cookie) => read(cookie)))).toEqual([401, 401, 200]);
  });

  test('SEC-19: it ends for the local user too, who needs none', async () => {
    const open = await startTestServer();
    try {
      const { key } = await open.core.apiKeys.create(LOCAL_USER);
      const origin = { origin: open.address };
      const cookie = cookieOf(await open.send('POST', '/api/v1/session', { apiKey: key }, origin));
      expect((await open.core.sessions.list(LOCAL_USER)).sessions.length).toBe(1);
      await open.send('DELETE', '/api/v1/session', undefined, { ...origin, cookie });
      expect((await open.core.sessions.list(LOCAL_USER)).sessions).toEqual([]);
    } finally {
      await open.close();
    }
  });
});

test('SEC-19: the events of a session end with it', async () => {
  const cookie = await signIn();
  const response = await fetch(`${server.address}/api/v1/events`, { headers: { cookie, 'recollect-page': '1' } });
  expect(response.status).toBe(200);
  await server.send('DELETE', '/api/v1/session', undefined, own(cookie));
  await server.core.capture(LOCAL_USER, [{ pageText: 'after signing out' }]);
  expect(await response.text()).not.toContain('changed');
});

describe('secrets', () => {
  test('SEC-19, SEC-15: no response, list or log contains a token', async () => {
    const written: string[] = [];
    const write = process.stderr.write;
    process.stderr.write = ((chunk: string | Uint8Array) => written.push(String(chunk)) > 0) as typeof write;
    try {
      const cookie = await signIn();
      const page = own(cookie);
      const answers = [
        await server.send('GET', '/api/v1/session', undefined, page),
        await server.send('GET', '/api/v1/sessions', undefined, page),
        await server.send('GET', '/api/v1/api-keys', undefined, page),
        await server.send('GET', '/api/v1/nothing', undefined, page),
        await server.send('POST', '/api/v1/capture', '{', page),
      ];
      await server.storage.close();
      answers.push(await server.send('GET', '/api/v1/memories', undefined, page));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 404, 400, 503]);
      const all = JSON.stringify(answers.map(({ headers, body }) => [[...headers], body])) + written.join('');
      expect(all).not.toContain(tokenOf(cookie));
    } finally {
      process.stderr.write = write;
    }
  });

  test('SEC-19: the store has only the SHA-256 of a token, and another process ends a session at once', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'recollect-sessions-'));
    const url = `sqlite:${join(folder, 'recollect.db')}`;
    const [one, other] = [await openStorage({ url }), await openStorage({ url })];
    const [opening, using] = [createCore(one), createCore(other)];
    const { key } = await opening.apiKeys.create(LOCAL_USER);
    const holder = await opening.apiKeys.authenticate(key);
    if (holder === null) throw new Error('Expected a holder.');
    const tokens = new Set<string>();
    for (let round = 0; round < 20; round++) {
      const { token, session } = await opening.sessions.open(holder, 'x');
      tokens.add(token);
      expect(await using.sessions.authenticate(token)).toMatchObject({ sessionId: session.id, userId: LOCAL_USER });
      if (round > 0) await opening.sessions.revoke(LOCAL_USER, session.id);
      expect((await using.sessions.authenticate(token)) === null).toBe(round > 0);
    }
    expect(tokens.size).toBe(20);
    await Promise.all([one.close(), other.close()]);
    for (const file of await readdir(folder)) {
      const bytes = await readFile(join(folder, file), 'latin1');
      for (const token of tokens) expect(bytes.includes(token.slice(0, 20))).toBe(false);
    }
    await rm(folder, { recursive: true });
  });
});

test('SEC-10, SEC-19: failed sign-ins are limited, and a valid key is never locked out', async () => {
  const limited = await startTestServer({ policy: { auth: 'required', limitsRequests: true } });
  // However slow the machine is, all requests come in one minute.
  const clock = vi.spyOn(performance, 'now').mockReturnValue(Math.ceil(performance.now()));
  try {
    const { key } = await limited.core.apiKeys.create(LOCAL_USER);
    const attempt = (apiKey: string) =>
      limited.send('POST', '/api/v1/session', { apiKey }, { origin: limited.address });
    const statuses: number[] = [];
    for (let round = 0; round < 12; round++) statuses.push((await attempt(`rec_${round}`)).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429]);
    expect((await attempt('rec_x')).headers.get('retry-after')).toMatch(/^\d+$/);
    // Guesses at the door of the API count as well.
    const bearer = await limited.send('GET', '/api/v1/memories', undefined, { authorization: 'Bearer rec_x' });
    expect(bearer.status).toBe(429);
    expect((await attempt(key)).status).toBe(200);
  } finally {
    clock.mockRestore();
    await limited.close();
  }
});
