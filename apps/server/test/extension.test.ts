import { LOCAL_USER } from '@recollect/core';
import { afterEach, expect, test } from 'vitest';
import { sendRaw } from './raw-request.js';
import { startTestServer, type TestServer } from './start-test-server.js';

let server: TestServer;
afterEach(() => server.close());

const SETUP = '/api/v1/extension/setup';
const urls = (base: string) => ({
  baseUrl: base,
  captureUrl: `${base}/api/v1/capture`,
  queryUrl: `${base}/api/v1/capture/query`,
  setupUrl: `${base}/api/v1/extension/setup`,
  mcpUrl: `${base}/api/mcp`,
  docsUrl: `${base}/docs/getting-started/extension`,
  downloadUrl: `${base}/api/v1/extension/package`,
});

test('EXT-1, EXT-3: on the own machine no key is needed, and the addresses of what is there answer', async () => {
  server = await startTestServer();
  const { status, body } = await server.send('GET', SETUP);
  expect([status, body]).toEqual([
    200,
    {
      ok: true,
      product: { name: 'Recollect', extensionName: 'Recollect Everywhere', extensionVersion: '0.0.0-test' },
      connection: urls(server.address),
      auth: { apiKeysSupported: true, apiKeyProvided: false, authenticated: false, mode: 'optional' },
      capabilities: { capture: true, query: true, mcp: false },
    },
  ]);
  const { docsUrl, setupUrl, queryUrl } = body.connection;
  for (const url of [docsUrl, setupUrl, `${queryUrl}?q=x`]) expect((await fetch(url)).status).toBe(200);
  const { key } = await server.core.apiKeys.create(LOCAL_USER);
  const known = await server.send('GET', SETUP, undefined, { authorization: `Bearer ${key}` });
  expect(known.body.auth).toMatchObject({ apiKeyProvided: true, authenticated: true, mode: 'optional' });
  expect((await server.send('GET', SETUP, undefined, { authorization: 'Bearer x' })).status).toBe(401);
});

test('EXT-2: the addresses follow the Host that was asked for', async () => {
  server = await startTestServer({ policy: { allowedHosts: ['memory.lan'] } });
  for (const host of [`localhost:${server.port}`, `[::1]:${server.port}`, 'memory.lan']) {
    const { body } = await sendRaw(server.port, `GET ${SETUP} HTTP/1.1\nHost: ${host}\nConnection: close\n\n`);
    expect(body.connection).toEqual(urls(`http://${host}`));
  }
});

test('EXT-3: with RECOLLECT_AUTH=required the setup can still be read, and says so', async () => {
  server = await startTestServer({ policy: { auth: 'required' } });
  const { status, body } = await server.send('GET', SETUP);
  expect([status, body.auth]).toEqual([
    200,
    { apiKeysSupported: true, apiKeyProvided: false, authenticated: false, mode: 'required' },
  ]);
  const { key } = await server.core.apiKeys.create(LOCAL_USER, { scopes: ['capture:write'] });
  const known = await server.send('GET', SETUP, undefined, { authorization: `Bearer ${key}` });
  expect(known.body.auth).toMatchObject({ apiKeyProvided: true, authenticated: true, mode: 'required' });
});

test('EXT-2, EXT-3: under a public address the URLs are that, whatever Host or proxy says, and a key is needed', async () => {
  server = await startTestServer({ policy: { publicUrl: new URL('https://memory.example') } });
  const { body } = await server.send('GET', SETUP, undefined, { 'x-forwarded-host': 'evil.com' });
  expect([body.connection, body.auth.mode]).toEqual([urls('https://memory.example'), 'required']);
});

test('EXT-2: X-Forwarded headers count from a trusted proxy alone, for names on the list alone', async () => {
  const forwarded = {
    'x-forwarded-host': 'memory.lan',
    'x-forwarded-proto': 'https',
    'x-forwarded-for': '203.0.113.9',
  };
  server = await startTestServer({ policy: { allowedHosts: ['memory.lan'] } });
  expect((await server.send('GET', SETUP, undefined, forwarded)).body.connection).toEqual(urls(server.address));
  await server.close();

  server = await startTestServer({ policy: { allowedHosts: ['memory.lan'], trustedProxies: ['127.0.0.1'] } });
  const { body } = await server.send('GET', SETUP, undefined, forwarded);
  expect([body.connection, body.auth.mode]).toEqual([urls('https://memory.lan'), 'required']);
  const evil = await server.send('GET', SETUP, undefined, { ...forwarded, 'x-forwarded-host': 'evil.com' });
  expect([evil.status, evil.body.code]).toEqual([403, 'HOST_NOT_ALLOWED']);
  const own = await server.send('GET', SETUP, undefined, { ...forwarded, origin: 'https://memory.lan' });
  expect([own.status, own.headers.get('access-control-allow-origin')]).toEqual([200, 'https://memory.lan']);
});
