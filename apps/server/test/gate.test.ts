import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendRaw } from './raw-request.js';
import { startTestServer, type TestServer } from './start-test-server.js';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    policy: { allowedOrigins: ['https://notes.example'], allowedHosts: ['memory.lan', 'proxy.lan:8443'] },
  });
});
afterAll(() => server.close());

const raw = (request: string, on = server) => sendRaw(on.port, request);
const get = (headers: string, target = '/api/v1/memories') =>
  raw(`GET ${target} HTTP/1.1\n${headers}Connection: close\n\n`);
const own = () => `Host: 127.0.0.1:${server.port}\n`;

// The tests in hostile/ try every other host, origin and framing on every operation.
describe('host', () => {
  test('SEC-1: accepts its own names with its own port, and the configured names', async () => {
    for (const host of ['127.0.0.1', 'localhost', 'LocalHost', '[::1]', 'memory.lan']) {
      expect([host, (await get(`Host: ${host}:${server.port}\n`)).status]).toEqual([host, 200]);
    }
    for (const host of ['memory.lan', 'proxy.lan:8443'])
      expect([host, (await get(`Host: ${host}\n`)).status]).toEqual([host, 200]);
  });
});

describe('origin', () => {
  test('SEC-2: requires a content type for a DELETE only if it has a body', async () => {
    const remove = async (headers: string, body = '') => {
      const { answer } = await server.core.capture('local', [{ pageText: 'short lived' }]);
      const path = `/api/v1/memories/${answer.captures[0]?.id}`;
      const { status } = await raw(`DELETE ${path} HTTP/1.1\n${own()}${headers}Connection: close\n\n${body}`);
      return status;
    };
    expect(await remove('')).toBe(204);
    expect(await remove('Content-Length: 0\n')).toBe(204);
    expect(await remove('Content-Type: application/json\n')).toBe(204);
    expect(await remove('Content-Length: 2\n', '{}')).toBe(415);
    expect(await remove('Transfer-Encoding: chunked\n', '0\n\n')).toBe(415);
    expect(await remove('Content-Type: text/plain\n')).toBe(415);
    expect(await remove(`Origin: https://evil.example\n`)).toBe(403);
    for (const { id } of (await server.core.memories.list('local')).memories) {
      await server.core.memories.remove('local', id);
    }
  });

  test('SEC-2: requires the content type JSON for POST and PATCH, even without a body', async () => {
    const body = '{"pageText":"stored by a form"}';
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/jsonp',
      'application/json; charset=latin1',
      'text/plain, application/json',
      '',
    ]) {
      const answer = await server.send('POST', '/api/v1/capture', body, { 'content-type': type });
      expect([type, answer.status, answer.body.code]).toEqual([type, 415, 'MEDIA_TYPE_UNSUPPORTED']);
    }
    for (const [method, path] of [
      ['POST', '/api/v1/reindex'],
      ['PATCH', '/api/v1/memories/x'],
      ['POST', '/api/v1/memories/x/restore'],
    ]) {
      const answer = await raw(`${method} ${path} HTTP/1.1\n${own()}Content-Length: 0\nConnection: close\n\n`);
      expect([method, path, answer.status]).toEqual([method, path, 415]);
    }
    expect((await server.send('POST', '/api/v1/capture', body, { 'content-encoding': 'gzip' })).status).toBe(415);
    expect((await server.core.memories.list('local')).memories).toEqual([]);
    expect(
      (await server.send('POST', '/api/v1/reindex', '{}', { 'content-type': 'application/json; charset=UTF-8' }))
        .status,
    ).toBe(200);
  });

  test('SEC-3: rejects an Origin that is not on the list, and a cross-site request without one', async () => {
    for (const origin of ['https://notes.example.evil.com', 'http://notes.example', 'https://notes.example:444']) {
      const answer = await get(`${own()}Origin: ${origin}\n`);
      expect([origin, answer.status, answer.body.code]).toEqual([origin, 403, 'ORIGIN_NOT_ALLOWED']);
      expect(answer.head.toLowerCase()).not.toContain('access-control');
    }
    expect((await get(`${own()}Origin: https://notes.example\nOrigin: https://notes.example\n`)).status).toBe(403);
    for (const site of ['cross-site', 'same-site', 'nonsense'])
      expect((await get(`${own()}Sec-Fetch-Site: ${site}\n`)).status).toBe(403);
    for (const site of ['same-origin', 'none'])
      expect((await get(`${own()}Sec-Fetch-Site: ${site}\n`)).status).toBe(200);
    expect((await get(`${own()}Origin: https://notes.example\nSec-Fetch-Site: cross-site\n`)).status).toBe(200);
    for (const name of ['localhost', 'memory.lan'])
      expect((await get(`${own()}Origin: http://${name}:${server.port}\n`)).status).toBe(200);
  });

  test('SEC-4: sends CORS headers only to a listed origin, which it echoes exactly, and never allows credentials', async () => {
    expect((await get(own())).head.toLowerCase()).not.toContain('access-control');
    const listed = (await get(`${own()}Origin: https://notes.example\n`)).head.toLowerCase();
    expect(listed).toContain('access-control-allow-origin: https://notes.example');
    expect(listed).toContain('vary: origin');
    expect(listed).not.toContain('credentials');
    const preflight = (origin: string) =>
      raw(
        `OPTIONS /api/v1/capture HTTP/1.1\n${own()}Origin: ${origin}\nAccess-Control-Request-Method: POST\nConnection: close\n\n`,
      );
    expect((await preflight('https://notes.example')).status).toBe(204);
    expect((await preflight('https://evil.com')).status).toBe(403);
  });
});

describe('identity', () => {
  test('KEY-3: serves the local user without credentials, from this machine to a loopback bind', async () => {
    expect((await server.send('GET', '/api/v1/memories')).status).toBe(200);
  });

  test('SEC-6: does not treat a forwarded request as one from this machine', async () => {
    for (const header of [
      'Forwarded: for=1.2.3.4',
      'X-Forwarded-For: 1.2.3.4',
      'X-Forwarded-Host: a.example',
      'X-Real-IP: 1.2.3.4',
      'X-Forwarded-Port: 80',
      'CF-Connecting-IP: 1.2.3.4',
      'Via: 1.1 proxy',
    ]) {
      const answer = await get(`${own()}${header}\n`);
      expect([header, answer.status, answer.body.code]).toEqual([header, 401, 'AUTHENTICATION_REQUIRED']);
    }
  });

  test('KEY-3: never falls back to the local user for invalid credentials', async () => {
    for (const value of ['Bearer rec_nonsense', 'Bearer', 'Bearer ', 'Basic dTpw', 'rec_x']) {
      const answer = await server.send('GET', '/api/v1/memories', undefined, { authorization: value });
      expect([value, answer.status, answer.body.code]).toEqual([value, 401, 'API_KEY_INVALID']);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
    }
  });

  test('KEY-3: RECOLLECT_AUTH=required and a public URL turn the fallback off', async () => {
    for (const policy of [{ auth: 'required' as const }, { publicUrl: new URL('https://memory.example') }]) {
      const closed = await startTestServer({ policy });
      try {
        expect((await closed.send('GET', '/api/v1/memories')).status).toBe(401);
        expect((await closed.send('POST', '/api/v1/capture', { pageText: 'x' })).status).toBe(401);
        expect((await closed.send('GET', '/healthz')).status).toBe(200);
        expect((await closed.core.memories.list('local')).memories).toEqual([]);
      } finally {
        await closed.close();
      }
    }
    const open = await startTestServer({ policy: { publicUrl: new URL('http://localhost:8080') } });
    expect((await open.send('GET', '/api/v1/memories')).status).toBe(200);
    expect((await raw('GET /api/v1/memories HTTP/1.1\nHost: localhost:8080\nConnection: close\n\n', open)).status).toBe(
      200,
    );
    await open.close();
  });
});

describe('requests', () => {
  test('SEC-11: accepts only strict JSON', async () => {
    const wrong: [string | Uint8Array, RegExp][] = [
      ['{"pageText":"a","pageText":"b"}', /twice/],
      ['{"pageText":"a","metadata":{"__proto__":{"x":1}}}', /__proto__/],
      ['{"pageText":"a","metadata":{"\\u005f_proto__":1}}', /__proto__/],
      ['{"pageText":"\\ud800"}', /surrogate/],
      ['{"pageText":"a","metadata":{"n":1e309}}', /too large/],
      ['{"pageText":"a","metadata":{"n":12345678901234567890}}', /kept exactly/],
      [`{"pageText":"a","metadata":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, /nested deeper/],
      ['{"pageText":"a"', /not valid JSON/],
      ['{"pageText":"a"} x', /not valid JSON/],
      ["{'pageText':'a'}", /not valid JSON/],
      ['\ufeff{"pageText":"a"}', /not valid JSON/],
      [Uint8Array.from([...Buffer.from('{"pageText":"'), 0xff, ...Buffer.from('"}')]), /UTF-8/],
    ];
    for (const [body, reason] of wrong) {
      const response = await fetch(`${server.address}/api/v1/capture`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: body as string,
      });
      const problem = (await response.json()) as { code: string; detail: string };
      expect([response.status, problem.code, problem.detail]).toEqual([
        400,
        'JSON_MALFORMED',
        expect.stringMatching(reason),
      ]);
    }
    expect((await server.core.memories.list('local')).memories).toEqual([]);
  });

  test('SYS-3: returns a problem document for errors of the HTTP parser, and closes the connection', async () => {
    const cases: [string, number][] = [
      ['NONSENSE\n\n', 400],
      ['GET /healthz HTTP/1.1\nHost: evil.com\nExpect: wonders\n\n', 400],
      [`GET /healthz HTTP/1.1\n${own()}X-Big: ${'x'.repeat(17 * 1024)}\n\n`, 431],
      [`POST /api/v1/capture HTTP/1.1\n${own()}Content-Length: 5\nTransfer-Encoding: chunked\n\n0\n\n`, 400],
      [`POST /api/v1/capture HTTP/1.1\n${own()}Content-Type: application/json\nContent-Length: nonsense\n\n`, 400],
    ];
    for (const [request, status] of cases) {
      const answer = await raw(request);
      expect([answer.status, answer.head]).toEqual([status, expect.stringMatching(/application\/problem\+json/)]);
      expect(answer.head).toMatch(/connection: close/i);
      expect(answer.body).toMatchObject({ status, code: expect.any(String), requestId: expect.any(String) });
    }
  });

  test('SYS-3: returns problem documents for unknown paths, wrong methods and malformed paths', async () => {
    const unknown = await server.send('GET', '/api/v1/nothing');
    expect([unknown.status, unknown.body.code]).toEqual([404, 'NOT_FOUND']);
    expect(unknown.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(unknown.body).toEqual({
      type: 'urn:recollect:problem:not-found',
      title: 'Not found',
      status: 404,
      detail: expect.any(String),
      code: 'NOT_FOUND',
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    const wrong = await server.send('PUT', '/api/v1/capture/query', {});
    expect([wrong.status, wrong.body.code, wrong.headers.get('allow')]).toEqual([
      405,
      'METHOD_NOT_ALLOWED',
      'POST, GET, HEAD',
    ]);
    expect((await server.send('GET', '/api/v1/capture')).status).toBe(405);
    // Not memories whose ids are these words.
    expect((await server.send('GET', '/api/v1/memories/lookup')).status).toBe(405);
    expect((await server.send('DELETE', '/api/v1/memories/counts')).status).toBe(405);
    expect((await raw(`TRACE /healthz HTTP/1.1\n${own()}Connection: close\n\n`)).status).toBe(405);
    expect((await get(own(), '/%ff')).status).toBe(400);
    expect(
      (
        await raw(
          `PUT /api/v1/nothing HTTP/1.1\n${own()}Content-Type: text/plain\nContent-Length: 1\nConnection: close\n\nx`,
        )
      ).status,
    ).toBe(404);
  });

  test('SEC-16: errors do not echo the request', async () => {
    const marker = 'XYZZYmarker';
    const answers = await Promise.all([
      server.send('GET', `/api/v1/${marker}`),
      server.send('POST', '/api/v1/capture', { pageText: 1, [marker]: 2, title: [marker] }),
      server.send('PATCH', '/api/v1/memories/x', { [marker]: marker }),
      server.send('POST', '/api/v1/capture/query', { query: 'x', sourceType: marker }),
      server.send('POST', '/api/v1/capture', `{"${marker}"`),
      server.send('GET', `/api/v1/memories?cursor=${marker}`),
    ]);
    for (const { status, body } of answers) {
      expect(status).toBeGreaterThanOrEqual(400);
      expect(JSON.stringify(body)).not.toContain(marker);
    }
  });

  test('SEC-15: neither the log nor an error contains a key, a path, SQL or captured text', async () => {
    // With threads, as for users: otherwise the stack names functions of the query builder, which read like SQL.
    const broken = await startTestServer({ url: 'sqlite::memory:' });
    const written: string[] = [];
    const write = process.stderr.write;
    process.stderr.write = ((chunk: string | Uint8Array) => written.push(String(chunk)) > 0) as typeof write;
    try {
      const { key } = await broken.core.apiKeys.create('local');
      await broken.storage.close();
      const answers = await Promise.all([
        broken.send('GET', '/api/v1/memories', undefined, { authorization: `Bearer ${key}` }),
        broken.send('GET', `/api/v1/memories?q=${key}`),
        broken.send('POST', '/api/v1/capture', { pageText: 'XYZZYmarker' }),
        broken.send('POST', '/api/v1/capture/query', { query: 'XYZZYmarker' }),
        broken.send('GET', '/api/v1/memories'),
        broken.send('GET', '/healthz'),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([503, 400, 500, 500, 500, 503]);
      const all = written.join('') + JSON.stringify(answers.map(({ body }) => body));
      expect(written.join('')).toContain('failed:');
      expect(all).not.toContain(key.slice(4));
      expect(all).not.toMatch(/XYZZYmarker|select |insert |node_modules|\/src\/|\/dist\//i);
    } finally {
      process.stderr.write = write;
      await broken.close();
    }
  });
});

describe('system', () => {
  test('SYS-1: health needs no identity', async () => {
    const answer = await server.send('GET', '/healthz', undefined, { 'x-forwarded-for': '1.2.3.4' });
    expect([answer.status, answer.body]).toEqual([200, { status: 'ok', version: '0.1.0-test' }]);
  });

  test('SYS-2: the OpenAPI document lists each operation, and the overview page works without scripts', async () => {
    const { body: document } = await server.send('GET', '/openapi.json');
    expect(document.openapi).toBe('3.1.0');
    expect(Object.keys(document.paths['/api/v1/memories/{id}'])).toEqual(['get', 'patch', 'delete']);
    expect(document.paths['/api/v1/capture'].post.responses['400'].description).toContain('CAPTURE_EMPTY');
    const page = await fetch(`${server.address}/docs`);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
    const html = await page.text();
    expect(html).toContain(`curl -s '${server.address}/api/v1/capture/query`);
    expect(html).not.toContain('<script');
  });
});
