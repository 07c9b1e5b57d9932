import { createClient } from '@recollect/contract/client';
import { expect, test, vi } from 'vitest';

test('QRY-8: the client says in which time zone its user is, where a request may name days', async () => {
  const sent: unknown[] = [];
  const client = createClient({
    baseUrl: 'http://a.example',
    async fetch(url, { body }) {
      sent.push([url.pathname + url.search, body === null ? null : JSON.parse(body)]);
      return { ok: true, status: 200, headers: new Headers(), text: async () => '{}' };
    },
  });
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  await client('query', { body: { query: 'tea', timeZone: 'Asia/Tokyo' } });
  await client('query', { body: { query: 'tea' } });
  await client('listMemories', { query: { limit: 2 } });
  await client('getMemory', { parameters: { id: 'a' } });
  expect(sent).toEqual([
    ['/api/v1/capture/query', { query: 'tea', timeZone: 'Asia/Tokyo' }],
    ['/api/v1/capture/query', { query: 'tea', timeZone }],
    [`/api/v1/memories?timeZone=${encodeURIComponent(timeZone)}&limit=2`, null],
    ['/api/v1/memories/a', null],
  ]);
});

test('QRY-8: the client names no time zone where the system does not know it', async () => {
  const options = Intl.DateTimeFormat().resolvedOptions();
  for (const timeZone of ['Etc/Unknown', undefined]) {
    const resolved = { ...options, timeZone } as Intl.ResolvedDateTimeFormatOptions;
    vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValueOnce(resolved);
    const sent: unknown[] = [];
    const client = createClient({
      baseUrl: 'http://a.example',
      async fetch(_, { body }) {
        sent.push(body);
        return { ok: true, status: 200, headers: new Headers(), text: async () => '{}' };
      },
    });
    await client('query', { body: { query: 'tea' } });
    expect(sent).toEqual(['{"query":"tea"}']);
  }
});
