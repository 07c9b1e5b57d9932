import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendRaw } from './raw-request.js';
import { startTestServer, type TestServer } from './start-test-server.js';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const PAGES = [
  '/',
  '/everything',
  '/memory/x',
  '/memory/%00',
  '/tags',
  '/trash',
  '/highlights',
  '/highlights/review',
  '/settings',
  '/settings/connect',
];
const get = (path: string) => server.send('GET', path);
/** The headers that a browser adds; fetch would replace them. */
const from = (site: string, mode = 'navigate', destination = 'document') =>
  `Sec-Fetch-Site: ${site}\nSec-Fetch-Mode: ${mode}\nSec-Fetch-Dest: ${destination}\n`;
/** The headers and the size on the wire, which fetch hides. */
const rawGet = (path: string, headers = '') =>
  sendRaw(server.port, `GET ${path} HTTP/1.1\nHost: 127.0.0.1:${server.port}\n${headers}Connection: close\n\n`);

async function assetOf(ending: string): Promise<string> {
  const html = (await get('/')).body as string;
  return new RegExp(`/assets/[\\w-]+\\.${ending}`).exec(html)?.[0] ?? '';
}

test('SYS-6: every page of the web app is the same, is not cached, and runs only its own files', async () => {
  const home = await get('/');
  for (const path of PAGES) {
    const { status, headers, body } = await get(path);
    expect([path, status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      path,
      200,
      'text/html; charset=utf-8',
      'no-store',
    ]);
    expect(body).toBe(home.body);
    const policy = headers.get('content-security-policy') ?? '';
    for (const rule of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "img-src 'self' data:;"])
      expect([path, policy]).toEqual([path, expect.stringContaining(rule)]);
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  }
  expect(home.body).not.toMatch(/<script(?![^>]* src=)|<style|\son\w+=|style=/);
});

test('SYS-6: other sites may open a page as a window, but not put it into a frame or read it', async () => {
  for (const path of PAGES) {
    const opened = await rawGet(path, from('cross-site'));
    expect([path, opened.status]).toEqual([path, 200]);
    expect(opened.head).not.toMatch(/access-control/i);
    for (const destination of ['iframe', 'embed', 'object', 'empty', 'script', 'image', 'document, document']) {
      const mode = destination === 'iframe' || destination.includes(',') ? 'navigate' : 'no-cors';
      const answer = await rawGet(path, from('cross-site', mode, destination));
      expect([path, destination, answer.body.code]).toEqual([path, destination, 'ORIGIN_NOT_ALLOWED']);
    }
  }
});

test('SYS-6: a site that opens a page gets no reference to its window', async () => {
  const policyOf = async (path: string, site: string) =>
    /cross-origin-opener-policy: (\S+)/i.exec((await rawGet(path, from(site))).head)?.[1];
  for (const path of PAGES) {
    for (const site of ['cross-site', 'same-site'])
      expect([path, await policyOf(path, site)]).toEqual([path, 'same-origin']);
    for (const site of ['none', 'same-origin']) expect([path, await policyOf(path, site)]).toEqual([path, undefined]);
    expect((await get(path)).headers.get('cross-origin-opener-policy')).toBe('same-origin');
  }
});

test('SYS-6: only the app itself can ask for a page that loads images', async () => {
  const images = async (path: string, site: string) =>
    / img-src ([^;]+)/.exec((await rawGet(path, from(site))).head)?.[1];
  expect(await images('/memory/x?images=show', 'same-origin')).toBe("'self' data: https: http:");
  for (const site of ['cross-site', 'same-site', 'none'])
    expect([site, await images('/memory/x?images=show', site)]).toEqual([site, "'self' data:"]);
  expect(await images('/memory/x?images=hide', 'same-origin')).toBe("'self' data:");
  expect(await images('/?images=show', 'same-origin')).toBe("'self' data:");
  expect((await get('/memory/x?images=show&images=show')).status).toBe(400);
});

test('SYS-6: files with a hash in their name are cached for good, compressed, and revalidated otherwise', async () => {
  const script = await assetOf('js');
  const plain = await rawGet(script);
  expect(plain.status).toBe(200);
  expect(plain.head).toMatch(/content-type: (text|application)\/javascript/i);
  expect(plain.head).toMatch(/cache-control: public, max-age=31536000, immutable/i);
  expect(plain.head).not.toMatch(/content-encoding/i);
  for (const encoding of ['br', 'gzip']) {
    const { head } = await rawGet(script, `Accept-Encoding: ${encoding}\n`);
    expect(head).toMatch(new RegExp(`content-encoding: ${encoding}`, 'i'));
    expect(head).toMatch(/vary: accept-encoding/i);
    expect(head).toMatch(/content-type: (text|application)\/javascript/i);
  }
  const icon = await rawGet('/assets/icon.svg');
  expect([icon.status, icon.head]).toEqual([200, expect.stringMatching(/cache-control: no-cache/i)]);
  expect(icon.head).toMatch(/content-security-policy: default-src 'none'/i);
  const tag = /etag: (\S+)/i.exec(icon.head)?.[1];
  expect((await rawGet('/assets/icon.svg', `If-None-Match: ${tag}\n`)).status).toBe(304);
});

test('SYS-6: an unknown file or path is a problem document that no one caches', async () => {
  for (const path of [
    '/assets/none.js',
    '/assets/none-12345678.js',
    '/assets/..%2findex.html',
    '/assets/%2e%2e',
    '/assets/.hidden',
    '/assets/%00.js',
    '/assets/',
    '/assets/a/b.js',
    '/assets/..%5cfiles.js',
    '/index.html',
    '/api/v1/nothing',
    '/api/nothing',
    '/memory',
    '/memory/x/y',
    '/settings/x',
  ]) {
    const { status, head, body } = await rawGet(path);
    expect([path, status, body.code]).toEqual([path, 404, 'NOT_FOUND']);
    expect(head).toMatch(/content-type: application\/problem\+json/i);
    expect([path, head]).toEqual([path, expect.stringMatching(/cache-control: no-store/i)]);
  }
  for (const path of ['/', '/tags', '/assets/icon.svg'])
    expect((await server.send('POST', path, {})).body.code).toBe('METHOD_NOT_ALLOWED');
});

test('SYS-6: a browser that opens an unknown address gets the page of the app, and programs a problem document', async () => {
  const accept = 'Accept: text/html,application/xhtml+xml,*/*;q=0.8\n';
  for (const path of ['/no/such/page', '/memory', '/settings/x', '/index.html', '/apis']) {
    const { status, head } = await rawGet(path, accept);
    expect([path, status]).toEqual([path, 404]);
    expect(head).toMatch(/content-type: text\/html/i);
    expect(head).toMatch(/cache-control: no-store/i);
    expect(head).toMatch(/content-security-policy: default-src 'none'; script-src 'self'/i);
    expect((await rawGet(path, `${accept}${from('cross-site', 'no-cors', 'iframe')}`)).body.code).toBe(
      'ORIGIN_NOT_ALLOWED',
    );
  }
  for (const path of ['/api/v1/nothing', '/api', '/docs/nothing', '/healthz/x', '/assets/none.js', '/mcp/x'])
    expect([path, (await rawGet(path, accept)).body.code]).toEqual([path, 'NOT_FOUND']);
  expect((await server.send('POST', '/no/such/page', {})).body.code).toBe('NOT_FOUND');
});

test('SYS-6: the manifest installs the app', async () => {
  const { status, headers, body } = await get('/manifest.webmanifest');
  expect([status, headers.get('content-type')]).toEqual([200, 'application/manifest+json']);
  expect(JSON.parse(body)).toMatchObject({ id: '/', start_url: '/', scope: '/' });
});

test('SYS-6: the service worker keeps the page and its files, and is revalidated', async () => {
  const { status, headers, body } = await get('/service-worker.js');
  expect([status, headers.get('content-type')]).toEqual([200, expect.stringMatching(/^text\/javascript/)]);
  expect(headers.get('cache-control')).toBe('no-cache');
  expect(headers.get('content-security-policy')).toBe("default-src 'none'; connect-src 'self'");
  expect(body).toContain(await assetOf('js'));
  expect(body).not.toContain('%');
});
