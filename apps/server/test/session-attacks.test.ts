import { extensionOrigin } from '@recollect/contract';
import { createApiKey, LOCAL_USER } from '@recollect/core';
import type { AccessPolicy } from '@recollect/server/access-policy';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendRaw } from './raw-request.js';
import { startTestServer, type TestServer } from './start-test-server.js';

const STRANGER = 'chrome-extension://abcdefghijklmnopabcdefghijklmnop';
let server: TestServer;
let cookie: string;
let key: string;
let memoryId: string;

beforeAll(async () => {
  server = await startTestServer({ policy: { auth: 'required', allowedOrigins: ['https://notes.example'] } });
  ({ key } = await server.core.apiKeys.create(LOCAL_USER, { scopes: ['admin'] }));
  cookie = await openSession(server, `127.0.0.1:${server.port}`, `http://127.0.0.1:${server.port}`);
  const { answer } = await server.core.capture(LOCAL_USER, [{ pageText: 'XYZZYsecret' }]);
  memoryId = answer.captures[0]?.id ?? '';
});
afterAll(() => server.close());

interface Sent {
  method?: string;
  path?: string;
  host?: string;
  headers?: string[];
  body?: string;
}

const send = (
  { method = 'GET', path = '/api/v1/memories', host, headers = [], body = '' }: Sent,
  on: TestServer = server,
) =>
  sendRaw(
    on.port,
    [
      `${method} ${path} HTTP/1.1`,
      `Host: ${host ?? `127.0.0.1:${on.port}`}`,
      ...headers,
      ...(body === '' ? [] : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`]),
      'Connection: close',
      '\n',
    ].join('\n'),
    body,
  );

/** Signs in with raw requests, and returns the cookie. */
async function openSession(on: TestServer, host: string, origin: string, more: string[] = []): Promise<string> {
  const opened = await on.core.apiKeys.create(LOCAL_USER, { scopes: ['admin'] });
  const body = JSON.stringify({ apiKey: opened.key });
  const headers = [`Origin: ${origin}`, ...more];
  const answer = await send({ method: 'POST', path: '/api/v1/session', host, headers, body }, on);
  expect([answer.status, answer.body.scopes]).toEqual([200, ['admin', 'operate']]);
  return /set-cookie: ([^;]+)/i.exec(answer.head)?.[1] ?? '';
}

const own = () => `Origin: http://127.0.0.1:${server.port}`;
const site = (value: string, mode = 'cors') => [`Sec-Fetch-Site: ${value}`, `Sec-Fetch-Mode: ${mode}`];
const memories = async () => (await server.core.memories.list(LOCAL_USER)).memories.map(({ id }) => id);
const sessions = async () => (await server.core.sessions.list(LOCAL_USER)).sessions.length;

describe('requests that the app did not make', () => {
  const foreign = (port: number) => [
    'Origin: null',
    'Origin: https://evil.example',
    `Origin: http://127.0.0.1:${port + 1}`,
    'Origin: http://127.0.0.1',
    `Origin: https://127.0.0.1:${port}`,
    `Origin: http://127.0.0.1:${port}.evil.example`,
    `Origin: http://localhost:${port}`,
    `Origin: http://[::1]:${port}`,
    'Origin: https://notes.example',
    `Origin: ${extensionOrigin}`,
    `Origin: ${STRANGER}`,
  ];

  test('SEC-19: the cookie never identifies a request with the Origin of another page', async () => {
    const before = [await memories(), await sessions()];
    for (const origin of foreign(server.port))
      for (const more of [[], site('same-origin'), ['Recollect-Page: 1']])
        for (const [method, path, body] of [
          ['GET', '/api/v1/memories', ''],
          ['HEAD', '/api/v1/memories', ''],
          ['POST', '/api/v1/capture', '{"pageText":"attack"}'],
          ['POST', '/api/v1/memories/change', JSON.stringify({ ids: [memoryId], delete: true })],
          ['DELETE', `/api/v1/memories/${memoryId}`, ''],
          ['PATCH', `/api/v1/memories/${memoryId}`, '{"title":"attack"}'],
          ['DELETE', '/api/v1/session', ''],
          ['POST', '/api/v1/session', JSON.stringify({ apiKey: key })],
        ] as const) {
          const answer = await send({ method, path, body, headers: [`Cookie: ${cookie}`, origin, ...more] });
          expect([origin, more, method, path, answer.status]).toEqual([
            origin,
            more,
            method,
            path,
            expect.toSatisfy((status: number) => status === 401 || status === 403),
          ]);
          expect(answer.head).not.toMatch(/set-cookie|allow-credentials/i);
          expect(JSON.stringify(answer.body)).not.toContain(memoryId);
        }
    expect([await memories(), await sessions()]).toEqual(before);
  });

  test('SEC-19: a change needs an Origin, and a read the mark of the app', async () => {
    for (const headers of [[], site('same-origin'), ['Recollect-Page: 1'], site('none', 'navigate')])
      for (const [method, path, body] of [
        ['POST', '/api/v1/capture', '{"pageText":"attack"}'],
        ['DELETE', `/api/v1/memories/${memoryId}`, ''],
        ['DELETE', '/api/v1/session', ''],
        ['POST', '/api/v1/session', JSON.stringify({ apiKey: key })],
      ] as const) {
        const { status } = await send({ method, path, body, headers: [`Cookie: ${cookie}`, ...headers] });
        expect([headers, method, path, [401, 403].includes(status)]).toEqual([headers, method, path, true]);
      }
    const statusOf = async (...headers: string[]) =>
      (await send({ headers: [`Cookie: ${cookie}`, ...headers] })).status;
    // A program, a typed address, an extension, another site, another port, and two marks.
    expect(await statusOf()).toBe(401);
    expect(await statusOf(...site('none', 'navigate'))).toBe(401);
    for (const value of ['none', 'cross-site', 'same-site', 'same-origin\nSec-Fetch-Site: same-origin'])
      expect([value, await statusOf(...site(value), 'Recollect-Page: 1')]).toEqual([value, 403]);
    expect(await statusOf(...site('same-origin'))).toBe(200);
    expect(await statusOf('Recollect-Page: 1')).toBe(200);
    expect(await statusOf(own())).toBe(200);
  });

  test('SEC-19: other methods, upgrades and preflights do nothing with the cookie', async () => {
    const headers = [`Cookie: ${cookie}`, own()];
    for (const method of ['TRACE', 'PUT', 'OPTIONS']) {
      const { status, head } = await send({ method, headers });
      expect([method, status]).toEqual([method, 405]);
      expect(head).not.toContain(cookie.slice(12));
    }
    const upgrade = ['Upgrade: websocket', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='];
    const socket = await send({ path: '/api/v1/nothing', headers: [...headers, ...upgrade] });
    expect([socket.status, socket.head]).toEqual([404, expect.not.stringContaining('101')]);
    for (const origin of foreign(server.port)) {
      const asks = 'Access-Control-Request-Method: POST\nAccess-Control-Request-Headers: recollect-page, cookie';
      const { head } = await send({ method: 'OPTIONS', headers: [`Cookie: ${cookie}`, origin, asks] });
      expect(head).not.toMatch(/allow-credentials|allow-headers:.*(recollect-page|cookie)/i);
    }
  });

  test('SEC-19, KEY-2: a valid cookie never helps an invalid Authorization header', async () => {
    for (const value of [
      '',
      'Bearer',
      'Bearer rec_x',
      `Bearer ${createApiKey()}`,
      'Basic dTpw',
      `Bearer ${cookie.slice(10)}`,
    ])
      for (const path of ['/api/v1/memories', '/', '/api/v1/session']) {
        const answer = await send({ path, headers: [`Cookie: ${cookie}`, own(), `Authorization: ${value}`] });
        expect([value, path, answer.status, answer.body.code]).toEqual([value, path, 401, 'API_KEY_INVALID']);
      }
    const read = await server.core.apiKeys.create(LOCAL_USER, { scopes: ['memory:read'] });
    const headers = [`Cookie: ${cookie}`, own(), `Authorization: Bearer ${read.key}`];
    // A valid key is what counts, not the cookie of the owner.
    expect((await send({ path: '/api/v1/api-keys', headers })).body.code).toBe('SCOPE_MISSING');
  });
});

describe('cookies that others have set', () => {
  test('SEC-19: two cookies of the name identify no one, in any order and in any header', async () => {
    const tossed = `recollect=${'A'.repeat(43)}`;
    for (const headers of [
      [`Cookie: ${cookie}; ${tossed}`],
      [`Cookie: ${tossed}; ${cookie}`],
      [`Cookie: ${cookie}`, `Cookie: ${tossed}`],
      [`Cookie: ${cookie};${cookie}`],
      [`Cookie: ${cookie}; recollect=`],
    ])
      expect([headers, (await send({ headers: [...headers, own()] })).status]).toEqual([headers, 401]);
  });

  test('SEC-19: other names, spellings and tokens identify no one', async () => {
    const token = cookie.slice(cookie.indexOf('=') + 1);
    for (const value of [
      `__Host-recollect=${token}`,
      `Recollect=${token}`,
      `recollect =${token}`,
      `recollect="${token}"`,
      `recollect=${token}x`,
      `recollect=${token.slice(1)}`,
      `recollect=${token.toLowerCase()}`,
      `recollect=${encodeURIComponent(`${token}=`)}`,
      'recollect=',
      'recollect',
      `recollect=${'A'.repeat(8_000)}`,
      `x=1, recollect=${token}`,
    ])
      expect([value, (await send({ headers: [`Cookie: ${value}`, own()] })).status]).toEqual([value, 401]);
    expect((await send({ headers: [`Cookie: a=b; ${cookie};c=d`, own()] })).status).toBe(200);
    for (const path of [`/api/v1/memories?recollect=${token}`, `/api/v1/memories?session=${token}`])
      expect((await send({ path, headers: [own()] })).status).not.toBe(200);
  });
});

describe('behind HTTPS', () => {
  const HOST = 'memory.example';
  const FORWARDED = ['X-Forwarded-Proto: https', `X-Forwarded-Host: ${HOST}`, 'X-Forwarded-For: 203.0.113.9'];
  const policies: Record<string, Partial<AccessPolicy>> = {
    'with a trusted proxy': { publicUrl: new URL(`https://${HOST}`), trustedProxies: ['127.0.0.1'] },
    'with its URL only': { publicUrl: new URL(`https://${HOST}`) },
  };

  for (const [how, policy] of Object.entries(policies))
    test(`SEC-19: the cookie is Secure and bound to the host, ${how}`, async () => {
      const on = await startTestServer({ policy });
      try {
        const origin = `https://${HOST}`;
        const body = JSON.stringify({ apiKey: (await on.core.apiKeys.create(LOCAL_USER)).key });
        const sent = { method: 'POST', path: '/api/v1/session', host: HOST, body };
        const { head } = await send({ ...sent, headers: [`Origin: ${origin}`, ...FORWARDED] }, on);
        const header = /set-cookie: (.*)/i.exec(head)?.[1]?.trim();
        expect(header).toMatch(
          /^__Host-recollect=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict; Secure$/,
        );
        const secure = header?.split(';')[0] ?? '';
        const read = async (...headers: string[]) =>
          (await send({ host: HOST, headers: [...headers, ...FORWARDED] }, on)).status;
        expect(await read(`Cookie: ${secure}`, `Origin: ${origin}`)).toBe(200);
        // Another host or plain HTTP can set a cookie without the prefix.
        expect(await read(`Cookie: ${secure.replace('__Host-', '')}`, `Origin: ${origin}`)).toBe(401);
        expect(await read(`Cookie: ${secure}; recollect=x`, `Origin: ${origin}`)).toBe(200);
        for (const foreign of [`http://${HOST}`, `http://127.0.0.1:${on.port}`, `http://localhost:${on.port}`])
          expect([foreign, [401, 403].includes(await read(`Cookie: ${secure}`, `Origin: ${foreign}`))]).toEqual([
            foreign,
            true,
          ]);
        // A page of plain HTTP under the same name, which anyone on the network can answer.
        const plain = await send({ host: HOST, headers: [`Cookie: ${secure}`, `Origin: http://${HOST}`] }, on);
        expect([401, 403]).toContain(plain.status);
        const fake = await send({ ...sent, headers: [`Origin: http://${HOST}`] }, on);
        expect([fake.status, /set-cookie/i.test(fake.head)]).toEqual([403, false]);
      } finally {
        await on.close();
      }
    });

  test('SEC-19: an untrusted proxy header does not change the name of the cookie', async () => {
    const header = await openSession(server, `127.0.0.1:${server.port}`, `http://127.0.0.1:${server.port}`, FORWARDED);
    expect(header).toMatch(/^recollect=/);
  });
});
