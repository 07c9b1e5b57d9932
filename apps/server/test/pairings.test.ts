import { LOCAL_USER } from '@recollect/core';
import { createFakeClock } from '@recollect/core/testing';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startTestServer, type TestServer } from './start-test-server.js';

const MINUTE = 60_000;
const clock = createFakeClock();
let server: TestServer;
beforeEach(async () => {
  server = await startTestServer({ policy: { auth: 'required' }, clock });
});
afterEach(() => server.close());

const REDEEM = '/api/v1/pairings/redeem';
const redeem = (body: unknown, headers: Record<string, string> = {}, at = server) =>
  at.send('POST', REDEEM, body, headers);
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
/** Headers of the owner. */
const owner = async () => bearer((await server.core.apiKeys.create(LOCAL_USER, { scopes: ['admin'] })).key);
const createCode = async () => (await server.send('POST', '/api/v1/pairings', undefined, await owner())).body;

test('KEY-4: exchanges a code once for a key that saves and reads, and shows it to the owner', async () => {
  const headers = await owner();
  const created = await server.send('POST', '/api/v1/pairings', undefined, headers);
  const { code, pairing } = created.body;
  expect([created.status, pairing.apiKey]).toEqual([201, null]);
  expect(code).toMatch(/^(?:[0-9A-HJKMNP-TV-Z]{4}-){2}[0-9A-HJKMNP-TV-Z]{4}$/);
  expect(Date.parse(pairing.expiresAt)).toBe(clock.now().getTime() + 10 * MINUTE);

  const typed = ` ${code.toLowerCase().replace('-', ' ').replace('0', 'o').replace('1', 'l')}\n`;
  const answer = await redeem({ code: typed, device: 'Safari on\niPhone' });
  expect([answer.status, answer.body]).toEqual([
    201,
    {
      key: expect.stringMatching(/^rec_/),
      apiKey: expect.objectContaining({ name: expect.any(String), scopes: ['capture:write', 'memory:read'] }),
    },
  ]);
  expect(answer.body.apiKey.name).toMatch(/^Safari on iPhone, paired \d{1,2} \w{3,4} \d{4}$/);
  const key = bearer(answer.body.key);
  expect((await server.send('POST', '/api/v1/capture', { pageText: 'x' }, key)).status).toBe(200);
  expect((await server.send('GET', '/api/v1/memories', undefined, key)).status).toBe(200);
  for (const [method, path] of [
    ['GET', '/api/v1/api-keys'],
    ['POST', '/api/v1/pairings'],
    ['GET', `/api/v1/pairings/${pairing.id}`],
    ['POST', '/api/v1/trash/empty'],
  ] as const)
    expect((await server.send(method, path, method === 'GET' ? undefined : {}, key)).status).toBe(403);

  const state = await server.send('GET', `/api/v1/pairings/${pairing.id}`, undefined, headers);
  expect([state.status, state.body]).toEqual([
    200,
    { ...pairing, apiKey: { ...answer.body.apiKey, lastUsedAt: expect.any(String) } },
  ]);
  const again = await redeem({ code });
  expect([again.status, again.body.code]).toEqual([400, 'PAIRING_CODE_INVALID']);
  // A code that is used ends with its key, and is listed as any key is.
  expect((await server.core.apiKeys.list(LOCAL_USER)).apiKeys.map(({ id }) => id)).toContain(answer.body.apiKey.id);
  await server.core.apiKeys.revoke(LOCAL_USER, answer.body.apiKey.id);
  expect((await server.send('GET', `/api/v1/pairings/${pairing.id}`, undefined, headers)).status).toBe(404);
  expect((await redeem({ code })).body.code).toBe('PAIRING_CODE_INVALID');
});

test('KEY-4: answers the same for a wrong, used and expired code, and makes no key', async () => {
  const { code } = await createCode();
  const used = await createCode();
  await redeem({ code: used.code });
  clock.advance(10 * MINUTE);
  const keys = (await server.core.apiKeys.list(LOCAL_USER)).apiKeys.length;
  const details = new Set<string>();
  for (const typed of [
    code,
    used.code,
    'AAAA-AAAA-AAAA',
    '',
    'rec_x',
    `${code}0`,
    code.slice(1),
    '\u0000'.repeat(12),
  ]) {
    const { status, body } = await redeem({ code: typed });
    expect([status, body.code]).toEqual([400, 'PAIRING_CODE_INVALID']);
    details.add(body.detail);
  }
  expect([...details]).toEqual([expect.stringContaining('Create a new one')]);
  expect((await server.core.apiKeys.list(LOCAL_USER)).apiKeys.length).toBe(keys);
  for (const body of [{}, null, { code: 1 }, { code: 'x'.repeat(101) }, { code, scopes: ['admin'] }])
    expect((await redeem(body)).body.code).toBe('VALIDATION_FAILED');
});

test('KEY-4, SEC-3, SEC-5: an extension without a key may redeem a code and nothing else, a site may not', async () => {
  const { code } = await createCode();
  const extension = { origin: 'chrome-extension://abcdefghijklmnopabcdefghijklmnop' };
  for (const origin of ['https://attacker.example', 'null', 'http://127.0.0.1:1'])
    expect((await redeem({ code }, { origin })).body.code).toBe('ORIGIN_NOT_ALLOWED');
  expect((await redeem({ code }, { 'sec-fetch-site': 'cross-site' })).body.code).toBe('ORIGIN_NOT_ALLOWED');
  // A form of another site cannot send JSON.
  const form = await redeem(`code=${code}`, { 'content-type': 'text/plain' });
  expect(form.status).toBe(415);
  expect((await server.send('POST', '/api/v1/session', { apiKey: 'x' }, extension)).body.code).toBe(
    'ORIGIN_NOT_ALLOWED',
  );
  const answer = await redeem({ code }, extension);
  expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([201, null]);
  const saved = await server.send(
    'POST',
    '/api/v1/capture',
    { pageText: 'x' },
    { ...extension, ...bearer(answer.body.key) },
  );
  expect(saved.status).toBe(200);
});

test('KEY-4, SEC-10: wrong codes are limited as wrong keys are, and a valid code is never locked out', async () => {
  const limited = await startTestServer({ policy: { auth: 'required', limitsRequests: true } });
  // However slow the machine is, all requests come in one minute.
  const time = vi.spyOn(performance, 'now').mockReturnValue(Math.ceil(performance.now()));
  try {
    const { code } = await limited.core.pairings.create(LOCAL_USER);
    const statuses: number[] = [];
    for (let round = 0; round < 12; round++)
      statuses.push((await redeem({ code: 'AAAA-AAAA-AAAA' }, {}, limited)).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 400), 429, 429]);
    expect((await redeem({ code }, {}, limited)).status).toBe(201);
  } finally {
    time.mockRestore();
    await limited.close();
  }
});
