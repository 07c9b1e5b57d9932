import { LOCAL_USER } from '@recollect/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendRaw } from './raw-request.js';
import { startTestServer, type TestServer } from './start-test-server.js';

const HOSTILE = `"><script>alert(1)</script><img src=x onerror=alert(2)>&amp;' \u0001`;
let server: TestServer;
let token: string;
let withText: string;
let memoryId: string;

beforeAll(async () => {
  server = await startTestServer({ policy: { auth: 'required', publicUrl: new URL('https://memory.example/base') } });
  const { core } = server;
  const { answer } = await core.capture(LOCAL_USER, [
    {
      title: `Tea ${HOSTILE}`,
      url: 'https://user:secret@a.example/?a=1&b=2',
      pageText: `Steep it. ${HOSTILE} ${'More of the text. '.repeat(60)} The end of the text.`,
      note: 'a private note',
      tags: ['tea', 'a private tag'],
    },
    { title: 'Trashed', pageText: 'In the trash.', tags: ['tea'] },
    { title: 'Outside', pageText: 'Not shared.' },
  ]);
  const [first, trashed] = answer.captures.map(({ id }) => id);
  memoryId = first ?? '';
  await core.memories.remove(LOCAL_USER, trashed ?? '');
  await core.highlights.create(LOCAL_USER, memoryId, { quote: 'Steep it', note: 'a private remark' });
  token = (await core.shares.create(LOCAL_USER, { tag: 'tea', isPublic: true })).token ?? '';
  const { id } = await core.savedSearches.create(LOCAL_USER, { name: 'Tea list', query: 'tag:tea' });
  withText = (await core.shares.create(LOCAL_USER, { savedSearchId: id, isPublic: true, showsText: true })).token ?? '';
});
afterAll(() => server.close());

const get = async (path: string, headers: Record<string, string> = {}) => {
  const { status, headers: answered, body } = await server.send('GET', `/base${path}`, undefined, headers);
  return { status, headers: answered, body: typeof body === 'string' ? body : JSON.stringify(body) };
};

describe('SHR-4: a public page', () => {
  test('shows titles, links, excerpts and dates, and nothing private', async () => {
    const { status, headers, body } = await get(`/public/${token}`);
    expect(status).toBe(200);
    expect(body.match(/<h2 .*<\/h2>/g)).toEqual([
      expect.stringMatching(/ href="https:\/\/a\.example\/\?a=1&amp;b=2" .*>Tea &quot;&gt;&lt;script&gt;alert\(1\)/),
    ]);
    expect(body).not.toMatch(/<(?:script|img|form|iframe|object|base)|<link rel="?style/);
    expect(body).not.toContain('\u0001');
    expect(body).toContain('<meta name="robots" content="noindex, nofollow">');
    expect(body).not.toMatch(/private|secret|Trashed|Outside|The end of the text|Read the text/);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'/,
      ),
      'x-robots-tag': 'noindex, nofollow',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    expect(headers.get('set-cookie')).toBeNull();
  });

  test('shows whole texts only if its owner chose so', async () => {
    expect((await get(`/public/${token}/${memoryId}`)).status).toBe(404);
    expect((await get(`/public/${withText}`)).body).toContain(
      `https://memory.example/base/public/${withText}/${memoryId}`,
    );
    const { status, body } = await get(`/public/${withText}/${memoryId}`);
    expect([status, body]).toEqual([200, expect.stringContaining('The end of the text.')]);
    expect(body).not.toMatch(/private|<script|<img/);
  });

  test('is an RSS feed that is well-formed', async () => {
    const { status, headers, body } = await get(`/public/${token}/feed`);
    expect([status, headers.get('content-type')]).toEqual([200, 'application/rss+xml; charset=utf-8']);
    const text = body.replace(/&(?:amp|lt|gt|quot|#39);/g, '');
    expect(text).not.toMatch(/&/);
    expect(text).not.toContain('\u0001');
    const open = Array.from(body.matchAll(/<(\/?)([\w:]+)[^>]*?(\/?)>/g)).filter(([, , , empty]) => empty !== '/');
    const depth: string[] = [];
    for (const [, isEnd, name = ''] of open)
      if (isEnd === '/') expect(depth.pop()).toBe(name);
      else depth.push(name);
    expect(depth).toEqual([]);
    expect(body).not.toMatch(/private|secret|Trashed|The end of the text/);
  });

  test('gives unknown and ended addresses the same answer', async () => {
    const { id, token: ended } = await server.core.shares.create(LOCAL_USER, { tag: 'gone', isPublic: true });
    expect((await get(`/public/${ended}`)).status).toBe(200);
    await server.core.shares.remove(LOCAL_USER, id);
    const browser = { accept: 'text/html' };
    const plain = ({ status, headers, body }: Awaited<ReturnType<typeof get>>) => [
      status,
      body.replace(/"requestId":"[^"]+"/, ''),
      headers.get('content-security-policy'),
    ];
    for (const path of ['', '/feed', `/${memoryId}`]) {
      const answers = [ended, 'A'.repeat(43), 'x', '%00', token.toLowerCase(), `${token}A`].map(async (each) =>
        plain(await get(`/public/${each}${path}`)),
      );
      const [first, ...others] = await Promise.all(answers);
      expect(first?.[0]).toBe(404);
      for (const other of others) expect(other).toEqual(first);
      expect((await get(`/public/${ended}${path}`, browser)).status).toBe(404);
    }
    for (const other of ['none', '../x', "' or 1=1 --", '%00'])
      expect((await get(`/public/${withText}/${encodeURIComponent(other)}`)).status).toBe(404);
  });

  test('ends while its owner is suspended, and has no memories that others added', async () => {
    const { id } = await server.core.people.create({ name: 'Ann' });
    const { id: bob } = await server.core.people.create({ name: 'Bob' });
    const ofAnn = (await server.core.shares.create(id, { tag: 'trip', isPublic: true })).token;
    const share = await server.core.shares.create(id, { tag: 'trip', personId: bob, mayAdd: true });
    const { answer } = await server.core.capture(bob, [{ title: 'Of Bob', pageText: 'Bob wrote it.' }]);
    await server.core.shared.add(bob, share.id, answer.captures[0]?.id ?? '');
    expect((await get(`/public/${ofAnn}`)).body).toContain('Nothing here yet.');
    await server.core.people.change(id, { state: 'suspended' });
    expect((await get(`/public/${ofAnn}`)).status).toBe(404);
  });

  test('may be opened from other sites, but not read by their scripts', async () => {
    const navigation =
      'Sec-Fetch-Site: cross-site\nSec-Fetch-Mode: navigate\nSec-Fetch-Dest: document\nConnection: close';
    const head = `GET /base/public/${token} HTTP/1.1\nHost: 127.0.0.1:${server.port}\n${navigation}\n\n`;
    expect((await sendRaw(server.port, head)).status).toBe(200);
    const script = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' };
    expect((await get(`/public/${token}`, script)).status).toBe(403);
    expect((await get('/api/v1/shares')).status).toBe(401);
  });
});

test('SHR-4: the operator switches public pages off, and an address is limited to 60 requests a minute', async () => {
  const off = await startTestServer({ policy: { publicPages: false, limitsRequests: true } });
  const { token: hidden } = await off.core.shares.create(LOCAL_USER, { tag: 'tea', isPublic: true });
  const statuses: number[] = [];
  for (let count = 0; count < 61; count++) statuses.push((await off.send('GET', `/public/${hidden}`)).status);
  expect([new Set(statuses.slice(0, 60)), statuses[60]]).toEqual([new Set([404]), 429]);
  const list = await off.send('GET', '/api/v1/shares');
  expect([list.body.hasPublicPages, list.body.shares[0].link]).toEqual([false, null]);
  expect((await off.send('POST', '/api/v1/shares', { tag: 'x', isPublic: true })).body.code).toBe('OWNER_ONLY');
  await off.close();
});
