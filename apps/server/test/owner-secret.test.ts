import { createHmac, randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { LOCAL_USER } from '@recollect/core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestServer, type TestServer } from './start-test-server.js';

const SECRET = randomBytes(32).toString('base64url');
const challenge = randomBytes(32).toString('base64url');

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer({ policy: { auth: 'required', limitsRequests: true }, ownerSecret: SECRET });
});
afterEach(() => server.close());

const owner = (secret = SECRET) => ({ authorization: `Owner ${secret}` });
const list = async (headers: Record<string, string>, path = '/api/v1/api-keys') =>
  (await server.send('GET', path, undefined, headers)).status;

test('SEC-18: the secret identifies the owner, whose changes count as made on the command line', async () => {
  expect(await list({})).toBe(401);
  expect(await list(owner())).toBe(200);
  const saved = await server.send('POST', '/api/v1/capture', { pageText: 'Tea' }, owner());
  const { savedBy } = await server.core.memories.get(LOCAL_USER, saved.body.captures[0].id);
  expect(savedBy).toEqual({ client: 'cli', name: null, key: null });
});

test('SEC-18: the secret counts on a direct connection from a program on this machine only', async () => {
  for (const headers of [
    { origin: server.address },
    { origin: 'chrome-extension://abcdefghijklmnopabcdefghijklmnop' },
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' },
    { cookie: 'recollect=1' },
    { 'x-forwarded-for': '127.0.0.1' },
    { forwarded: 'for=127.0.0.1' },
    { via: '1.1 proxy' },
    { 'x-real-ip': '127.0.0.1' },
  ])
    expect([headers, await list({ ...owner(), ...headers })]).toEqual([
      headers,
      expect.toSatisfy((status) => status > 400),
    ]);
});

test.each([
  ['another one', randomBytes(32).toString('base64url')],
  ['a part of it', SECRET.slice(0, -1)],
  ['an empty one', ''],
  ['two', `${SECRET} ${SECRET}`],
])('SEC-18: %s is rejected', async (_, secret) => {
  expect(await list(owner(secret))).toBe(401);
});

test('SEC-18: the secret is not an API key, and a server without one accepts none', async () => {
  expect(await list({ authorization: `Bearer ${SECRET}` })).toBe(401);
  const other = await startTestServer();
  try {
    for (const secret of ['', 'null', 'undefined', SECRET])
      expect((await other.send('GET', '/api/v1/memories', undefined, owner(secret))).status).toBe(401);
    expect((await other.send('POST', '/api/v1/server/proof', { challenge })).status).toBe(404);
  } finally {
    await other.close();
  }
});

test('SEC-18: the server proves that it knows the secret, to this machine only', async () => {
  const prove = (headers = {}, body: unknown = { challenge }) =>
    server.send('POST', '/api/v1/server/proof', body, headers);
  const proof = createHmac('sha256', SECRET).update(challenge).digest('base64url');
  expect((await prove()).body).toEqual({ proof });
  expect((await prove({ 'x-forwarded-for': '10.0.0.1' })).status).toBe(404);
  expect((await prove({ origin: 'https://evil.example' })).status).toBe(403);
  for (const body of [{}, { challenge: '' }, { challenge: 'a'.repeat(44) }, { challenge: 1 }])
    expect((await prove({}, body)).status).toBe(400);
});

test('SEC-10, SEC-18: the commands of the owner are not limited', async () => {
  const statuses = new Set<number>();
  for (let at = 0; at < 130; at++)
    statuses.add((await server.send('POST', '/api/v1/capture', { pageText: `Tea ${at}` }, owner())).status);
  expect([...statuses]).toEqual([200]);
});

test('SEC-14: the process of a plugin is never the local user, and its connection is asked about once', async () => {
  let asked = 0;
  const guarded = await startTestServer({ isPlugin: async () => ++asked > 0 });
  const { hostname, port } = new URL(guarded.address);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const status = (path: string) =>
    new Promise((resolve, reject) => {
      request({ hostname, port, path, agent }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode));
      })
        .on('error', reject)
        .end();
    });
  try {
    expect(await status('/api/v1/memories')).toBe(401);
    expect(await status('/api/v1/export')).toBe(401);
    expect(await status('/healthz')).toBe(200);
    expect(asked).toBe(1);
  } finally {
    agent.destroy();
    await guarded.close();
  }
});
