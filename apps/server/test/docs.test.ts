import { exportLineSchema } from '@recollect/contract';
import { LOCAL_USER } from '@recollect/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pages } from '../dist/docs/pages/index.js';
import { startTestServer, type TestServer } from './start-test-server.js';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test('SYS-2: serves every page and the target of every link between pages', async () => {
  const paths = ['/docs', ...pages.map(({ path }) => `/docs/${path}`)];
  const seen = new Set<string>();
  for (const path of paths) {
    const { status, body, headers } = await server.send('GET', path);
    expect([path, status, headers.get('content-type')]).toEqual([path, 200, 'text/html; charset=utf-8']);
    for (const [, link = ''] of body.matchAll(/href="(\/[^"#]*)/g)) seen.add(link);
    for (const [, anchor = ''] of body.matchAll(/href="#([^"]+)"/g)) expect(body).toContain(`id="${anchor}"`);
    for (const [, target = '', anchor = ''] of body.matchAll(/href="(\/docs[^"#]*)#([^"]+)"/g)) {
      expect([target, anchor, (await server.send('GET', target)).body.includes(`id="${anchor}"`)]).toEqual([
        target,
        anchor,
        true,
      ]);
    }
  }
  for (const link of seen) expect([link, (await server.send('GET', link)).status]).toEqual([link, 200]);
  expect([...seen]).toEqual(expect.arrayContaining(paths));
  expect((await server.send('GET', '/docs/getting-started/nothing')).status).toBe(404);
});

test('SEC-12: the policy of a page allows only its own style and inlined pictures, and pages contain no script', async () => {
  await server.core.capture(LOCAL_USER, [
    { title: '<script>alert(1)</script>', pageText: '<img src=x onerror=alert(1)>' },
  ]);
  for (const path of ['/docs', ...pages.map(({ path: page }) => `/docs/${page}`)]) {
    const { body, headers } = await server.send('GET', path);
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    );
    // Pictures from docs/ are inlined.
    const rest = body.replace(/<img src="data:image\/(?:png|svg\+xml);base64,[\w+/=]+" alt="[^"<]*">/g, '');
    expect(rest).not.toMatch(/<script|<iframe|<img|<form|<link|\son\w+=|style="|src="/i);
    expect(body).not.toContain('alert(1)');
  }
});

test('SEC-12: every response forbids sniffing, framing, caching and reading by other sites', async () => {
  for (const [method, path] of [
    ['GET', '/api/v1/memories'],
    ['GET', '/docs'],
    ['GET', '/nothing'],
    ['POST', '/api/v1/capture'],
    ['GET', '/healthz'],
    ['GET', '/readyz'],
  ] as const) {
    const { headers } = await server.send(method, path, method === 'GET' ? undefined : {});
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
  }
});

test('SEC-12: returns stored text unchanged as JSON, and accepts only http and https URLs', async () => {
  const pageText = '</script><script>alert(1)</script> \u202e reversed \u0007';
  const { body } = await server.send('POST', '/api/v1/capture', {
    title: '<b>bold</b>',
    url: 'https://a.example/"><script>',
    pageText,
  });
  const answer = await server.send('GET', `/api/v1/memories/${body.captures[0].id}`);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(answer.body).toMatchObject({ title: '<b>bold</b>', text: pageText });
  for (const url of [
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'chrome://settings',
    ' javascript:alert(1)',
  ]) {
    const refused = await server.send('POST', '/api/v1/capture', { url, pageText: 'x' });
    expect([url, refused.status, refused.body.errors?.[0]?.pointer]).toEqual([url, 400, '/url']);
  }
});

test('EXP-1: serves the JSON Schema of a line of an export', async () => {
  const { status, headers, body } = await server.send('GET', '/docs/export.schema.json');
  expect([status, headers.get('content-type')]).toEqual([200, 'application/schema+json; charset=utf-8']);
  expect(body).toEqual(JSON.parse(JSON.stringify(exportLineSchema)));
});
