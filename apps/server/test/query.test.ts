import { QueryAnswer, validate } from '@recollect/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from './start-test-server.js';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await server.client('capture', {
    body: [
      {
        title: 'Tea',
        url: 'https://tea.example/green',
        pageText: 'Green leaves are steeped below the boiling point. Zugzwang café.',
        tags: ['drinks'],
        capturedAt: '2026-01-10',
      },
      {
        title: 'Rocks',
        url: 'https://www.stone.example/a',
        pageText: 'Granite and basalt are igneous. 東京都の地質。',
        capturedAt: '2026-01-20',
      },
      { title: 'Plan', pageText: 'Photosynthesis lab on Monday: bring leaves.' },
    ],
  });
});
afterAll(() => server.close());

const post = (body: unknown) => server.send('POST', '/api/v1/capture/query', body);
const get = (search: string) => server.send('GET', `/api/v1/capture/query${search}`);
const titles = async (query: string, filters: object = {}) =>
  (await post({ query, ...filters })).body.results.map(({ title }: { title: string }) => title);

describe('query', () => {
  test('QRY-1: GET and POST return the same results in the same shape and order', async () => {
    const [byPost, byGet] = await Promise.all([post({ query: 'Green leaves' }), get('?q=Green+leaves')]);
    expect(byPost.status).toBe(200);
    expect(validate(QueryAnswer, byPost.body)).toEqual([]);
    expect(byGet.body).toEqual(byPost.body);
    expect(byPost.body.query).toBe('Green leaves');
    expect(byPost.headers.get('recollect-retrieval')).toBe('hybrid');
    expect((await get('?q=leaves&limit=1')).body.results.length).toBe(1);
    expect((await post({ query: 'leaves', limit: 1 })).body.results.length).toBe(1);
  });

  test('QRY-14: a mistyped word is corrected, and the answer says so, unless the words are to be taken as typed', async () => {
    const corrected = { from: 'zugzwagn', to: 'zugzwang' };
    const [byPost, byGet] = await Promise.all([post({ query: 'zugzwagn' }), get('?q=zugzwagn')]);
    expect(byPost.body).toMatchObject({ query: 'zugzwagn', corrected });
    expect(byPost.body.results[0].title).toBe('Tea');
    expect(byGet.body).toEqual(byPost.body);
    expect(validate(QueryAnswer, byPost.body)).toEqual([]);
    expect((await post({ query: 'zugzwagn', asTyped: true })).body).not.toHaveProperty('corrected');
    expect((await get('?q=zugzwagn&asTyped=true')).body).not.toHaveProperty('corrected');
    expect((await get('?q=zugzwagn&asTyped=false')).body).toHaveProperty('corrected');
    expect((await get('?q=zugzwagn&asTyped=maybe')).status).toBe(400);
  });

  test('QRY-19: the last word finds longer words, but not once the query is finished and it is a word', async () => {
    const byWords = async (query: string, fields: object = {}): Promise<string[]> =>
      (await post({ query, ...fields })).body.results.flatMap((result: { title: string; match: { text: number } }) =>
        result.match.text > 0 ? [result.title] : [],
      );
    expect(await byWords('photo')).toEqual(['Plan']);
    expect(await byWords('photo', { prefix: true })).toEqual(['Plan']);
    expect(await byWords('photo', { prefix: false })).toEqual([]);
    expect(await byWords('photosynthes', { prefix: false })).toEqual(['Plan']);
    expect((await get('?q=photo&prefix=false')).body).toEqual((await post({ query: 'photo', prefix: false })).body);
  });

  test('QRY-15: words for a time select what was saved then, and the answer has the range', async () => {
    const interpreted = {
      after: new Date(2026, 0, 1).toISOString(),
      before: new Date(2026, 1, 1).toISOString(),
    };
    const { body } = await post({ query: 'leaves in January 2026' });
    expect(validate(QueryAnswer, body)).toEqual([]);
    expect(body).toMatchObject({ interpreted });
    expect(body.results.map(({ title }: { title: string }) => title)).not.toContain('Plan');
    expect(await titles('leaves in January 2026', { asTyped: true })).toContain('Plan');
    // Nothing was saved then, the words are meant to the letter, or another range is given.
    for (const asked of [
      { query: 'leaves 2012' },
      { query: '"in january 2026" leaves' },
      { query: 'leaves in January 2026 after:2026-01-15' },
      { query: 'leaves in January 2026', until: '2026-12-31' },
    ])
      expect([asked, (await post(asked)).body.interpreted]).toEqual([asked, undefined]);
  });

  test('QRY-2: rejects a missing, blank or too long query and a limit out of range', async () => {
    for (const answer of [
      await get(''),
      await get('?q=+'),
      await post({}),
      await post({ query: ' \n' }),
      await post({ query: null }),
      await post('null'),
      await post(''),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([400, 'QUERY_EMPTY']);
    }
    for (const limit of [0, -1, 51, 1.5, 'abc', true, [3]]) {
      const answer = await post({ query: 'x', limit });
      expect([limit, answer.status, answer.body.code]).toEqual([limit, 400, 'VALIDATION_FAILED']);
    }
    for (const limit of ['0', '-1', '51', '1.5', 'abc', '', 'true', '0x10', '1e1']) {
      expect([limit, (await get(`?q=x&limit=${limit}`)).status]).toEqual([limit, 400]);
    }
    expect((await post({ query: 'x'.repeat(2_001) })).status).toBe(400);
    expect((await post({ query: 'x'.repeat(2_000) })).status).toBe(200);
    expect((await get('?q=a&q=b')).status).toBe(400);
  });

  test('QRY-3: finds an exact rare word, a prefix and CJK text, ignoring accents and case', async () => {
    expect((await titles('zugzwang'))[0]).toBe('Tea');
    expect((await titles('photosyn'))[0]).toBe('Plan');
    expect((await titles('CAFE'))[0]).toBe('Tea');
    expect((await titles('京都'))[0]).toBe('Rocks');
  });

  test('QRY-4: falls back to full text when the model fails, and says so in a header', async () => {
    server.model.failure = async () => {
      throw new Error('down');
    };
    const answer = await post({ query: 'granite' });
    server.model.failure = null;
    expect(answer.status).toBe(200);
    expect(answer.headers.get('recollect-retrieval')).toBe('text');
    expect(answer.body.results[0].title).toBe('Rocks');
  });

  test('QRY-6: treats query syntax as text', async () => {
    for (const query of [
      '"',
      'leaves"',
      '*',
      'lea*',
      'NEAR(leaves tea, 2)',
      '-leaves',
      'title:leaves',
      'a AND (b',
      "don't",
      'C++',
      '^x',
      '{a b}:c',
      '\\',
      '%',
      "'; drop table memories; --",
      '\u0000',
    ]) {
      expect([query, (await post({ query })).status]).toEqual([query, 200]);
    }
    expect(await titles('"leaves" NOT')).toContain('Tea');
  });

  test('QRY-4: cancels a search whose client disconnects, without logging an error', async () => {
    const asked = Promise.withResolvers<AbortSignal | undefined>();
    const own = await startTestServer({
      change: (core) => ({
        ...core,
        query: async (...given) => {
          const signal = given[2]?.signal;
          asked.resolve(signal);
          await new Promise((resolve) => signal?.addEventListener('abort', resolve));
          return core.query(...given);
        },
      }),
    });
    try {
      const client = new AbortController();
      const answer = own.client('query', { body: { query: 'tea' }, signal: client.signal });
      const signal = await asked.promise;
      expect(signal?.aborted).toBe(false);
      client.abort();
      await expect(answer).rejects.toThrow();
      await expect.poll(() => signal?.aborted).toBe(true);
      expect((await own.client('status', {})).errors).toEqual([]);
    } finally {
      await own.close();
    }
  });

  test('QRY-7: a query finds only the memories of its user', async () => {
    await server.core.capture('somebody else', [{ pageText: 'Zugzwang of another.' }]);
    expect(await titles('zugzwang another')).not.toContain('Zugzwang of another.');
  });

  test('QRY-8: applies filters in the body and in the query text', async () => {
    expect(await titles('leaves', { tag: 'drinks' })).toEqual(['Tea']);
    expect(await titles('leaves', { sourceType: 'note' })).toEqual(['Plan']);
    expect(await titles('leaves granite', { site: 'stone.example' })).toEqual(['Rocks']);
    expect(await titles('leaves granite', { since: '2026-01-15', until: '2026-02-01T00:00:00+02:00' })).toEqual([
      'Rocks',
    ]);
    expect(await titles('leaves tag:drinks')).toEqual(['Tea']);
    expect(await titles('leaves before:2026-01-15 site:tea.example')).toEqual(['Tea']);
    expect(await titles('leaves -tag:drinks')).not.toContain('Tea');
    expect(await titles('leaves -source:note')).not.toContain('Plan');
    expect((await post({ query: 'x', sourceType: 'book' })).status).toBe(400);
    expect((await post({ query: 'x', since: 'soon' })).status).toBe(400);
  });
});

test('QRY-8: days are in the time zone of the request', async () => {
  await server.core.capture('local', [
    { pageText: 'Plum jam', tags: ['plum'], capturedAt: '2026-03-03T14:30:00Z' },
    { pageText: 'Plum cake', tags: ['plum'], capturedAt: '2026-03-03T15:30:00Z' },
  ]);
  const titles = (found: { title: string }[]) => found.map(({ title }) => title).sort();
  const search = async (timeZone?: string) =>
    titles(
      (await server.send('POST', '/api/v1/capture/query', { query: 'plum tag:plum after:2026-03-04', timeZone })).body
        .results,
    );
  expect([await search('Asia/Tokyo'), await search('UTC')]).toEqual([['Plum cake'], []]);
  const named = { query: 'plum tag:plum on 4 March 2026', timeZone: 'Asia/Tokyo' };
  expect((await server.send('POST', '/api/v1/capture/query', named)).body).toMatchObject({
    interpreted: { after: '2026-03-03T15:00:00.000Z', before: '2026-03-04T15:00:00.000Z' },
  });
  const zone = 'timeZone=Asia%2FTokyo';
  const get = async (path: string) => (await server.send('GET', path)).body;
  expect(titles((await get(`/api/v1/capture/query?q=plum&tag=plum&until=2026-03-04&${zone}`)).results)).toEqual([
    'Plum jam',
  ]);
  expect(titles((await get(`/api/v1/memories?tag=plum&since=2026-03-04&${zone}`)).memories)).toEqual(['Plum cake']);
  expect(titles((await get(`/api/v1/memories?filter=tag:plum%20before:2026-03-04&${zone}`)).memories)).toEqual([
    'Plum jam',
  ]);
  expect((await get(`/api/v1/memories/counts?filter=tag:plum%20before:2026-03-04&${zone}`)).total).toBe(1);
  const change = { query: 'tag:plum before:2026-03-04', timeZone: 'Asia/Tokyo', addTags: ['jam'] };
  expect((await server.send('POST', '/api/v1/memories/change', change)).body).toMatchObject({ changed: 1 });
  const unknown = await server.send('POST', '/api/v1/capture/query', { query: 'plum', timeZone: 'Mars/Olympus' });
  expect([unknown.status, unknown.body.detail]).toEqual([
    400,
    'timeZone must be the name of a time zone, such as Europe/Berlin.',
  ]);
});
