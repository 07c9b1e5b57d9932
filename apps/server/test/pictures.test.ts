import { browserPath, openContext } from '@recollect/browser';
import { LOCAL_USER } from '@recollect/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from './start-test-server.js';

/** An image of 5 × 3 pixels. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAUAAAADCAYAAABbNsX4AAAAIUlEQVR4AWzIsQkAAAwCwWCbFV3RGbUXH745POUeN5oYAAAA//9BasjqAAAABklEQVQDABnkCmZrpifgAAAAAElFTkSuQmCC';
const picture = { type: 'image/png', data: PNG };
/** The same, with a byte behind its end. */
const favicon = {
  type: 'image/png',
  data: Buffer.concat([Buffer.from(PNG, 'base64'), Buffer.of(0)]).toString('base64'),
};

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ policy: { limitsRequests: false } });
});
afterAll(() => server.close());

const save = async (capture: object) => (await server.send('POST', '/api/v1/capture', capture)).body;
const load = (path: string, headers: Record<string, string> = {}) => fetch(server.address + path, { headers });

test('IMG-1: a capture stores its picture and the favicon of its site, and lists name them', async () => {
  const capture = { pageText: 'Lamps of the quay', url: 'https://post.example/lamps', picture, favicon };
  const { captures, warnings } = await save(capture);
  expect(warnings).toBeUndefined();
  const { id } = captures[0];
  await save({ pageText: 'Other news of the quay', url: 'https://www.post.example/other' });
  const { memories } = (await server.send('GET', '/api/v1/memories?site=post.example')).body;
  const [other, lamps] = memories;
  expect(lamps).toMatchObject({ id, pictureHash: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(lamps.faviconHash).not.toBe(lamps.pictureHash);
  expect([other.pictureHash, other.faviconHash]).toEqual([undefined, lamps.faviconHash]);
  const { results } = (await server.send('POST', '/api/v1/capture/query', { query: 'lamps of the quay' })).body;
  expect(results[0]).toMatchObject({ id, pictureHash: lamps.pictureHash, faviconHash: lamps.faviconHash });
  expect((await server.send('GET', `/api/v1/memories/${id}`)).body.pictureHash).toBe(lamps.pictureHash);
  const status = (await server.send('GET', '/api/v1/status')).body;
  expect(status.pictures).toEqual({ count: 2, bytes: Buffer.from(PNG, 'base64').length * 2 + 1 });
});

test('IMG-1, SYS-9: a picture that cannot be stored is a warning, and no text is lost', async () => {
  const { captures, warnings } = await save({
    pageText: 'With a bad picture',
    picture: { type: 'image/svg+xml', data: btoa('<svg/>') },
  });
  expect(captures[0].status).toBe('created');
  expect(warnings).toEqual(['The picture was ignored: it is not a WebP, PNG, JPEG or ICO image.']);
  const many = await save({
    captures: [{ pageText: 'first' }, { pageText: 'second', favicon: { type: '', data: '?' } }],
  });
  expect(many.warnings).toEqual(['Capture 1: The favicon was ignored: its data is not valid Base64.']);
  const wrong = await server.send('POST', '/api/v1/capture', { pageText: 'x', picture: 'none' });
  expect([wrong.status, wrong.body.errors[0].pointer]).toEqual([400, '/picture']);
});

test('IMG-1, CAP-8: a retry with the same key gets the same warnings', async () => {
  const body = { pageText: 'Retried', picture: { type: '', data: '?' } };
  const send = () => server.send('POST', '/api/v1/capture', body, { 'idempotency-key': 'pictures' });
  const first = await send();
  const again = await send();
  expect([again.headers.get('idempotency-replayed'), again.body.warnings]).toEqual(['true', first.body.warnings]);
});

test('IMG-2: pictures are served from the store, and nothing in them can run', async () => {
  const { captures } = await save({ pageText: 'Served', url: 'https://served.example/', picture, favicon });
  const path = `/api/v1/memories/${captures[0].id}/picture`;
  const response = await load(path);
  expect(Buffer.from(await response.arrayBuffer()).toString('base64')).toBe(PNG);
  const { headers } = response;
  const etag = headers.get('etag') ?? '';
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': 'image/png',
    'cache-control': 'private, no-cache',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
  });
  const versioned = await load(`${path}?v=${etag.slice(1, -1)}`);
  expect(versioned.headers.get('cache-control')).toBe('private, max-age=2592000, immutable');
  const unchanged = await load(path, { 'if-none-match': etag });
  expect([unchanged.status, await unchanged.text()]).toEqual([304, '']);
  for (const known of [`W/${etag}`, `"other", ${etag}`, '*'])
    expect([known, (await load(path, { 'if-none-match': known })).status]).toEqual([known, 304]);
  expect((await load(path, { 'if-none-match': '"other"' })).status).toBe(200);
  const icon = await load(`/api/v1/memories/${captures[0].id}/favicon`);
  expect(Buffer.from(await icon.arrayBuffer()).toString('base64')).toBe(favicon.data);
  const bare = (await save({ pageText: 'Without pictures' })).captures[0].id;
  for (const missing of [
    `/api/v1/memories/${bare}/picture`,
    `/api/v1/memories/${bare}/favicon`,
    '/api/v1/memories/no/picture',
  ])
    expect((await server.send('GET', missing)).status).toBe(404);
  expect((await server.send('GET', `${path}?size=9`)).status).toBe(400);
});

test('IMG-2, KEY-2: pictures need the scope that reads memories', async () => {
  const { captures } = await save({ pageText: 'Guarded', picture });
  const path = `/api/v1/memories/${captures[0].id}/picture`;
  const { key } = await server.core.apiKeys.create(LOCAL_USER, { scopes: ['capture:write'] });
  expect((await load(path, { authorization: `Bearer ${key}` })).status).toBe(403);
  expect((await load(path, { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' })).status).toBe(403);
});

test('IMG-3: a memory that is removed for good takes its picture along, and an import brings it back', async () => {
  const text = 'Removed for good';
  const { captures } = await save({ pageText: text, url: 'https://removed.example/', picture, favicon });
  const { id } = captures[0];
  const before = (await server.send('GET', '/api/v1/status')).body.pictures.count;
  const exported = await (await load('/api/v1/export?query=site:removed.example')).text();
  expect(JSON.parse(exported.split('\n')[1] ?? '')).toMatchObject({ id, picture, favicon });
  await server.send('DELETE', `/api/v1/memories/${id}`);
  expect((await load(`/api/v1/memories/${id}/picture`)).status).toBe(404);
  await server.send('POST', '/api/v1/trash/empty', {});
  // Other memories of this file have the same pictures.
  expect((await server.send('GET', '/api/v1/status')).body.pictures.count).toBe(before);
  const imported = await fetch(`${server.address}/api/v1/import`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: exported,
  });
  expect(await imported.json()).toMatchObject({ created: 1, failedCount: 0 });
  expect((await load(`/api/v1/memories/${id}/favicon`)).status).toBe(200);
});

describe.skipIf(browserPath === undefined)('in a browser (needs Chromium: apt-get install chromium)', () => {
  test('IMG-2: the web app can show them', async () => {
    const { captures } = await save({ pageText: 'Shown', picture });
    const browser = await openContext();
    const page = await browser.context.newPage();
    await page.goto(`${server.address}/everything`);
    const size = await page.evaluate(async (source) => {
      const image = new Image();
      image.src = source;
      await image.decode();
      return [image.naturalWidth, image.naturalHeight];
    }, `/api/v1/memories/${captures[0].id}/picture`);
    expect(size).toEqual([5, 3]);
    await browser.close();
  });
});
