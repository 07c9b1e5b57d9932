import { gzipSync } from 'node:zlib';
import { extensionKey } from '@recollect/contract';
import { LOCAL_USER } from '@recollect/core';
import { unzipSync } from 'fflate';
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

test('EXT-1, EXT-3: requires no key on the local machine, and returns addresses that work', async () => {
  server = await startTestServer();
  const { status, body } = await server.send('GET', SETUP);
  expect([status, body]).toEqual([
    200,
    {
      ok: true,
      product: { name: 'Recollect', extensionName: 'Recollect Everywhere', extensionVersion: '0.1.0-test' },
      connection: urls(server.address),
      auth: { apiKeysSupported: true, apiKeyProvided: false, authenticated: false, mode: 'optional' },
      capabilities: { capture: true, query: true, mcp: true },
    },
  ]);
  const { docsUrl, setupUrl, queryUrl, downloadUrl } = body.connection;
  for (const url of [docsUrl, setupUrl, `${queryUrl}?q=x`, downloadUrl]) expect((await fetch(url)).status).toBe(200);
  const { key } = await server.core.apiKeys.create(LOCAL_USER);
  const known = await server.send('GET', SETUP, undefined, { authorization: `Bearer ${key}` });
  expect(known.body.auth).toMatchObject({ apiKeyProvided: true, authenticated: true, mode: 'optional' });
  expect((await server.send('GET', SETUP, undefined, { authorization: 'Bearer x' })).status).toBe(401);
});

test('EXT-2: builds the addresses from the Host of the request', async () => {
  server = await startTestServer({ policy: { allowedHosts: ['memory.lan'] } });
  for (const host of [`localhost:${server.port}`, `[::1]:${server.port}`, 'memory.lan']) {
    const { body } = await sendRaw(server.port, `GET ${SETUP} HTTP/1.1\nHost: ${host}\nConnection: close\n\n`);
    expect(body.connection).toEqual(urls(`http://${host}`));
  }
});

test('EXT-3: returns the setup without a key under RECOLLECT_AUTH=required, and reports the mode', async () => {
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

test('EXT-2, EXT-3: uses a public URL regardless of Host and proxy headers, and requires a key', async () => {
  server = await startTestServer({ policy: { publicUrl: new URL('https://memory.example') } });
  const { body } = await server.send('GET', SETUP, undefined, { 'x-forwarded-host': 'evil.com' });
  expect([body.connection, body.auth.mode]).toEqual([urls('https://memory.example'), 'required']);
});

test('EXT-2, SYS-10: the URLs contain the path of a public URL', async () => {
  server = await startTestServer({ policy: { publicUrl: new URL('https://host.example/recollect') } });
  const { body } = await server.send('GET', SETUP);
  expect(body.connection).toEqual(urls('https://host.example/recollect'));
});

test('EXT-2: accepts X-Forwarded headers only from a trusted proxy, and only for allowed hosts', async () => {
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

const PACKAGE = '/api/v1/extension/package';
const FILES = [
  'manifest.json',
  'popup.html',
  'popup.css',
  'popup.js',
  'content.js',
  'highlights.js',
  'highlights.css',
  'panel.html',
  'panel.js',
  'background.js',
  'options.html',
  'options.js',
  'README.md',
  'recollect-everywhere.setup.json',
  'icon-16.png',
  'icon-32.png',
  'icon-48.png',
  'icon-128.png',
];

async function download(address: string, path = PACKAGE) {
  const response = await fetch(address + path);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const files = unzipSync(bytes);
  const text = (name: string) => new TextDecoder().decode(files[name]);
  return { response, bytes, files, text, manifest: JSON.parse(text('manifest.json')) };
}

test('EXT-4: returns the extension for this deployment as a ZIP file without secrets', async () => {
  server = await startTestServer();
  const { key } = await server.core.apiKeys.create(LOCAL_USER);
  const { response, bytes, files, text, manifest } = await download(server.address);
  expect([response.status, response.headers.get('content-type'), response.headers.get('cache-control')]).toEqual([
    200,
    'application/zip',
    'no-store',
  ]);
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="recollect-everywhere.zip"');
  expect(Object.keys(files)).toEqual(FILES);
  expect(manifest).toMatchObject({
    manifest_version: 3,
    version: '0.1.0',
    version_name: '0.1.0-test',
    key: extensionKey,
    action: { default_popup: 'popup.html' },
    permissions: ['activeTab', 'scripting', 'storage'],
    host_permissions: [`${server.address}/*`],
    optional_host_permissions: ['http://*/*', 'https://*/*'],
    options_ui: { page: 'options.html' },
  });
  for (const icon of Object.values<string>({ ...manifest.icons, ...manifest.action.default_icon }))
    expect(Object.keys(files)).toContain(icon);
  expect(Object.keys(manifest.icons)).toEqual(['16', '32', '48', '128']);
  expect(manifest.background).toEqual({ service_worker: 'background.js' });
  expect(manifest.commands).toMatchObject({
    _execute_action: { suggested_key: { default: 'Alt+Shift+R' } },
    save: { suggested_key: { default: 'Alt+Shift+S' } },
  });
  expect(JSON.parse(text('recollect-everywhere.setup.json'))).toMatchObject({
    product: { name: 'Recollect', extensionVersion: '0.1.0-test' },
    connection: urls(server.address),
    surfaces: { openclaw: ['localhost', '127.0.0.1', '[::1]'] },
  });
  expect(new TextDecoder('latin1').decode(bytes)).not.toContain(key);
  // The promised limits on compressed size. The browser reads these scripts before it shows anything.
  expect(gzipSync(files['content.js'] ?? '').length).toBeLessThan(150 * 1024);
  expect(gzipSync(files['popup.js'] ?? '').length).toBeLessThan(100 * 1024);
  expect(gzipSync(files['background.js'] ?? '').length).toBeLessThan(30 * 1024);
  // Each web page reads it while highlights are switched on.
  expect(gzipSync(files['highlights.js'] ?? '').length).toBeLessThan(10 * 1024);
});

test('EXT-4: returns the same bytes for one deployment, and others for another address', async () => {
  server = await startTestServer();
  const first = await download(server.address);
  expect((await download(server.address)).bytes).toEqual(first.bytes);
  const other = await download(`http://localhost:${server.port}`);
  expect(other.manifest.host_permissions).toEqual([`http://localhost:${server.port}/*`]);
  expect(other.files['popup.js']).toEqual(first.files['popup.js']);
});

test('EXT-4: leaves the port out of the host permission for Firefox, and rejects unknown browsers', async () => {
  server = await startTestServer();
  const { manifest } = await download(server.address, `${PACKAGE}?browser=firefox`);
  expect(manifest.host_permissions).toEqual(['http://127.0.0.1/*']);
  expect(manifest.browser_specific_settings.gecko.id).toBe('recollect-everywhere@recollect.local');
  expect(manifest.key).toBeUndefined();
  expect(manifest.background).toEqual({ scripts: ['background.js'] });
  expect((await server.send('GET', `${PACKAGE}?browser=lynx`)).status).toBe(400);
});

test('EXT-4: allows a browser, which sends no key, to download it under RECOLLECT_AUTH=required', async () => {
  server = await startTestServer({ policy: { auth: 'required' } });
  expect((await download(server.address)).response.status).toBe(200);
});

test('SEC-3: lets other sites open the bookmarklet page, but only as a top-level document', async () => {
  server = await startTestServer();
  const visit = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
  // fetch would set its own headers.
  const open = (headers: Record<string, string>, path = '/save') => {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`);
    return sendRaw(
      server.port,
      `GET ${path} HTTP/1.1\nHost: 127.0.0.1:${server.port}\n${lines.join('')}Connection: close\n\n`,
    );
  };
  expect((await open(visit)).status).toBe(200);
  const page = await server.send('GET', '/save');
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(page.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; connect-src 'self'; .*frame-ancestors 'none'$/,
  );
  for (const other of [
    { ...visit, 'sec-fetch-dest': 'iframe' },
    { ...visit, 'sec-fetch-mode': 'no-cors' },
    { ...visit, origin: 'https://evil.example' },
    { 'sec-fetch-site': 'cross-site' },
  ]) {
    expect((await open(other)).status).toBe(403);
  }
  for (const path of [SETUP, PACKAGE, '/docs', '/api/v1/memories']) {
    expect((await open(visit, path)).status).toBe(403);
  }
});
