import { ListAnswer, MemoryDetail, validate } from '@recollect/contract';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from './start-test-server.js';

let server: TestServer;
let ids: string[];
beforeEach(async () => {
  server = await startTestServer();
  const captures = Array.from({ length: 5 }, (_, at) => ({
    title: `Memory ${at}`,
    pageText: `Body of ${at}`,
    url: `https://a.example/${at}`,
    capturedAt: `2026-01-0${at + 1}`,
  }));
  const { captures: saved } = await server.client('capture', { body: captures });
  ids = saved.map(({ id }) => id);
});
afterEach(() => server.close());

const at = (index: number) => `/api/v1/memories/${ids[index]}`;

describe('memories', () => {
  test('MEM-1: lists memories newest first, page by page to the end', async () => {
    const first = await server.send('GET', '/api/v1/memories?limit=3');
    expect(validate(ListAnswer, first.body)).toEqual([]);
    expect(first.body.memories.map(({ id }: { id: string }) => id)).toEqual([ids[4], ids[3], ids[2]]);
    const second = await server.send(
      'GET',
      `/api/v1/memories?limit=3&cursor=${encodeURIComponent(first.body.nextCursor)}`,
    );
    expect(second.body.memories.map(({ id }: { id: string }) => id)).toEqual([ids[1], ids[0]]);
    expect(second.body.nextCursor).toBeNull();
    const filtered = await server.send('GET', '/api/v1/memories?since=2026-01-04&site=a.example');
    expect(filtered.body.memories.length).toBe(2);
    const operators = await server.send(
      'GET',
      '/api/v1/memories?filter=after:2026-01-04%20site:a.example%20site:none.example',
    );
    expect(operators.body.memories).toEqual(filtered.body.memories);
    for (const search of [
      'limit=0',
      'limit=101',
      'limit=x',
      'cursor=x',
      'since=soon',
      'sourceType=x',
      'filter=words',
    ]) {
      const answer = await server.send('GET', `/api/v1/memories?${search}`);
      expect([search, answer.status, answer.body.code]).toEqual([search, 400, 'VALIDATION_FAILED']);
    }
  });

  test('MEM-1: lists a memory whose first chunk is a heading and badges with the first sentence after them', async () => {
    const badge = (at: number) =>
      `[![Build status ${at}](https://badges.example/builds/${at}/${'0123456789abcdef'.repeat(6)}.svg)](https://ci.example/${at})`;
    const pageText = [
      '# Kettle',
      ...Array.from({ length: 4 }, (_, at) => badge(at)),
      'A small library that boils water.',
      ...Array.from({ length: 60 }, (_, at) => `Section ${at} says how it is used.`),
    ].join('\n\n');
    const { captures } = await server.client('capture', { body: { title: 'kettle', pageText } });
    const { memories } = await server.client('listMemories', { query: { limit: 1 } });
    expect(memories).toMatchObject([
      { id: captures[0]?.id, excerpt: expect.stringMatching(/^A small library that boils water\./) },
    ]);
  });

  test('MEM-1: returns a memory with its full text', async () => {
    const { status, body } = await server.send('GET', at(2));
    expect(status).toBe(200);
    expect(validate(MemoryDetail, body)).toEqual([]);
    expect(body).toMatchObject({
      title: 'Memory 2',
      text: 'Body of 2',
      chunks: 1,
      embedding: { state: 'embedded', model: 'fake' },
    });
  });

  test('MEM-1: changes title, tags and note, and rejects other changes', async () => {
    const { status, body } = await server.send('PATCH', at(0), {
      title: 'Renamed',
      tags: ['a', ' a ', 'b'],
      note: 'My note',
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ title: 'Renamed', tags: ['a', 'b'], note: 'My note', text: 'Body of 0' });
    expect((await server.send('PATCH', at(0), { note: null })).body).toMatchObject({ title: 'Renamed', note: null });
    for (const change of [
      { text: ' ' },
      { text: null },
      { url: 'https://a.example' },
      { title: '' },
      { tags: 'a' },
      { title: null },
      [],
    ]) {
      expect([change, (await server.send('PATCH', at(0), change)).status]).toEqual([change, 400]);
    }
  });

  test('MEM-14: a star and what was read select and sort memories, and can be undone', async () => {
    const titles = async (search: string) =>
      (await server.send('GET', `/api/v1/memories?${search}`)).body.memories.map(
        ({ title }: { title: string }) => title,
      );
    const before = (await server.send('GET', at(1))).body;
    const { body: starred } = await server.send('PATCH', at(1), { starred: true, progress: 0.25, opened: true });
    expect(starred).toMatchObject({ starred: true, readState: 'reading', progress: 0.25, updatedAt: before.updatedAt });
    expect(starred.openedAt).not.toBeNull();
    await server.send('PATCH', at(3), { readState: 'read' });
    expect((await server.send('PATCH', at(1), { progress: 0.5 })).body.changeId).toBeNull();

    expect(await titles('starred=true')).toEqual(['Memory 1']);
    expect(await titles('readState=read')).toEqual(['Memory 3']);
    expect(await titles('readState=unread')).toEqual(['Memory 4', 'Memory 2', 'Memory 0']);
    expect(await titles('sort=opened&limit=2')).toEqual(['Memory 1', 'Memory 4']);
    expect(await titles('sort=oldest&limit=2')).toEqual(['Memory 0', 'Memory 1']);
    const { nextCursor } = (await server.send('GET', '/api/v1/memories?sort=title&limit=2')).body;
    expect(await titles(`sort=title&cursor=${encodeURIComponent(nextCursor)}`)).toEqual([
      'Memory 2',
      'Memory 3',
      'Memory 4',
    ]);
    const other = await server.send('GET', `/api/v1/memories?cursor=${encodeURIComponent(nextCursor)}`);
    expect([other.status, other.body.detail]).toEqual([400, expect.stringContaining('send the same sort')]);

    const found = await server.client('query', { body: { query: 'body is:starred' } });
    expect(found.results.map(({ title, progress }) => [title, progress])).toEqual([['Memory 1', 0.5]]);
    const { history } = await server.client('memoryHistory', { parameters: { id: ids[1] ?? '' } });
    expect(history.map(({ fields, before }) => [fields, before])).toEqual([
      [['starred', 'readState', 'progress'], { starred: false, readState: 'unread', progress: 0 }],
    ]);
    await server.client('undoChange', { parameters: { id: starred.changeId }, query: {} });
    expect(await titles('starred=true')).toEqual([]);

    const change = await server.client('changeMemories', {
      body: { query: 'site:a.example', star: true, markAs: 'read' },
    });
    expect(change).toMatchObject({ matched: 5, changed: 5 });
    expect(await titles('starred=true&readState=read')).toHaveLength(5);
    for (const body of [{ progress: 1.1 }, { readState: 'seen' }, { opened: false }, { starred: 'yes' }])
      expect((await server.send('PATCH', at(0), body)).status).toBe(400);
  });

  test('MEM-1: returns 404 for an unknown id in every operation', async () => {
    for (const id of ['0199d0f0-0000-7000-8000-000000000000', 'nonsense', '%00', "' or 1=1", 'a'.repeat(500)]) {
      const path = `/api/v1/memories/${encodeURIComponent(id)}`;
      const answers = [
        await server.send('GET', path),
        await server.send('PATCH', path, { title: 'x' }),
        await server.send('DELETE', path),
        await server.send('POST', `${path}/restore`),
      ];
      for (const answer of answers) expect([id, answer.status, answer.body.code]).toEqual([id, 404, 'NOT_FOUND']);
    }
  });

  test('MEM-2: omits a deleted memory from every response at once, and restores it completely', async () => {
    expect((await server.send('DELETE', at(1))).status).toBe(204);
    expect((await server.send('GET', at(1))).status).toBe(404);
    expect((await server.send('DELETE', at(1))).status).toBe(404);
    const everywhere = await Promise.all([
      server.send('GET', '/api/v1/memories'),
      server.send('POST', '/api/v1/capture/query', { query: 'Body of 1' }),
      server.send('GET', '/api/v1/capture/query?q=Memory+1'),
      server.send('POST', '/api/v1/memories/lookup', { urls: ['https://a.example/1'] }),
    ]);
    expect(JSON.stringify(everywhere.map(({ body }) => body))).not.toContain(ids[1]);
    expect((await server.send('GET', '/api/v1/reindex')).body.total).toBe(4);
    const restored = await server.send('POST', `${at(1)}/restore`);
    expect([restored.status, restored.body.text, restored.body.embedding.state]).toEqual([
      200,
      'Body of 1',
      'embedded',
    ]);
    expect((await server.send('POST', '/api/v1/capture/query', { query: 'Memory 1' })).body.results[0].id).toBe(ids[1]);
  });

  test('MEM-17: a raw page or a PDF replaces the text, and the rest stays', async () => {
    const { body: saved } = await server.send('POST', '/api/v1/capture', {
      url: 'https://oil.example/1',
      title: 'Oil',
      pageText: 'Old words of lamp oil.',
      note: 'mine',
    });
    const path = `/api/v1/memories/${saved.captures[0].id}`;
    const html =
      '<title>New</title><nav>Shop</nav><article><p>New words of oil, which a keeper reads by its lamp.</p></article>';
    const { status, body } = await server.send('PATCH', path, { html });
    expect([status, typeof body.changeId]).toEqual([200, 'string']);
    expect((await server.send('GET', path)).body).toMatchObject({
      title: 'Oil',
      note: 'mine',
      text: expect.stringContaining('New words of oil'),
    });
    expect((await server.send('PATCH', path, { html, extract: 'page' })).status).toBe(200);
    expect((await server.send('GET', path)).body.text).toContain('Shop');
    const both = await server.send('PATCH', path, { html, text: 'x' });
    expect([both.status, both.body.errors[0].pointer]).toEqual([400, '/html']);
    const broken = await server.send('PATCH', path, { pdf: 'JVBERi0xLjc=' });
    expect([broken.status, broken.body.code]).toEqual([400, 'EXTRACTION_FAILED']);
    expect((await server.send('PATCH', path, { html: '<p></p>' })).body.code).toBe('VALIDATION_FAILED');
  });

  test('MEM-3: returns which URLs are already saved', async () => {
    const urls = [
      'https://a.example/3#part',
      'https://a.example/nothing',
      'chrome://settings',
      'https://a.example/4?utm_source=x',
    ];
    const { status, body } = await server.send('POST', '/api/v1/memories/lookup', { urls });
    expect(status).toBe(200);
    expect(body.found).toMatchObject([
      {
        url: urls[0],
        id: ids[3],
        title: 'Memory 3',
        capturedAt: '2026-01-04T00:00:00.000Z',
        lastCapturedAt: '2026-01-04T00:00:00.000Z',
      },
      { url: urls[3], id: ids[4] },
    ]);
    expect(body.found[0]).not.toHaveProperty('highlights');
    for (const wrong of [
      {},
      { urls: [] },
      { urls: Array(51).fill('https://a.example/') },
      { urls: [1] },
      { urls: ['x'], highlights: 1 },
    ]) {
      expect((await server.send('POST', '/api/v1/memories/lookup', wrong)).status).toBe(400);
    }
  });

  test('MEM-3: returns the highlights of the found URLs, newest first', async () => {
    const mark = async (quote: string) =>
      (await server.send('POST', `/api/v1/memories/${ids[3]}/highlights`, { quote })).body;
    const [first, second] = [await mark('first'), await mark('second')];
    const urls = ['https://a.example/3#part', 'https://a.example/4', 'https://a.example/nothing'];
    const { status, body } = await server.send('POST', '/api/v1/memories/lookup', { urls, highlights: true });
    expect(status).toBe(200);
    expect(body.found).toMatchObject([
      { id: ids[3], highlights: [second, first] },
      { id: ids[4], highlights: [] },
    ]);
  });

  test('MEM-3: returns the newest memories of a site', async () => {
    const look = (site: string) =>
      server.send('POST', '/api/v1/memories/lookup', { urls: ['https://a.example/3'], site });
    const { body } = await look('a.example');
    expect(body.found).toMatchObject([{ id: ids[3] }]);
    expect(body.ofSite.map(({ id }: { id: string }) => id)).toEqual([...ids].reverse());
    expect(body.ofSite[0]).toEqual({
      id: ids[4],
      title: 'Memory 4',
      url: 'https://a.example/4',
      capturedAt: '2026-01-05T00:00:00.000Z',
    });
    await server.client('capture', {
      body: Array.from({ length: 25 }, (_, at) => ({
        title: `${at}`,
        pageText: `${at}`,
        url: `https://b.example/${at}`,
      })),
    });
    expect((await look('b.example')).body.ofSite).toHaveLength(20);
    expect((await look('other.example')).body.ofSite).toEqual([]);
    for (const site of ['', ' ', 'not a host']) expect((await look(site)).body.code).toBe('VALIDATION_FAILED');
  });
});

describe('reindex', () => {
  const captureWithoutModel = async (count: number) => {
    server.model.failure = async () => {
      throw new Error('down');
    };
    for (let index = 0; index < count; index++)
      await server.send('POST', '/api/v1/capture', { pageText: `Bare ${index}` });
    server.model.failure = null;
  };

  test('IDX-1: returns the state, without a job at first', async () => {
    expect((await server.send('GET', '/api/v1/reindex')).body).toEqual({
      total: 5,
      withEmbeddings: 5,
      withoutEmbeddings: 0,
      needsReindex: false,
      missingChunks: 0,
      chunksPerSecond: expect.any(Number),
      secondsLeft: 0,
      rejected: { count: 0, memories: [], reason: null },
      latestJob: null,
    });
    await captureWithoutModel(2);
    expect((await server.send('GET', '/api/v1/reindex')).body).toMatchObject({
      total: 7,
      withEmbeddings: 5,
      withoutEmbeddings: 2,
      needsReindex: true,
      missingChunks: 2,
      secondsLeft: expect.any(Number),
      latestJob: { status: 'failed', remainingCount: 2, processedCount: 0, model: null, error: expect.any(String) },
    });
  });

  test('IDX-2: runs one batch per call, with and without a body', async () => {
    await captureWithoutModel(3);
    expect((await server.send('POST', '/api/v1/reindex', { batchSize: 1 })).body).toMatchObject({
      processed: 1,
      remaining: 2,
      status: 'pending',
    });
    expect((await server.send('POST', '/api/v1/reindex')).body).toMatchObject({
      processed: 2,
      remaining: 0,
      status: 'completed',
      job: { status: 'completed', processedCount: 3 },
    });
    expect((await server.send('POST', '/api/v1/reindex', {})).body).toMatchObject({
      processed: 0,
      remaining: 0,
      status: 'completed',
    });
    for (const batchSize of [0, 257, 1.5, '3'])
      expect((await server.send('POST', '/api/v1/reindex', { batchSize })).status).toBe(400);
  });

  test('IDX-2: runNow false only queues', async () => {
    await captureWithoutModel(1);
    const answer = await server.send('POST', '/api/v1/reindex', { runNow: false });
    expect([answer.status, answer.body.queued, answer.body.job.status]).toEqual([202, true, 'pending']);
    expect((await server.send('GET', '/api/v1/reindex')).body).toMatchObject({
      withoutEmbeddings: 1,
      latestJob: { id: answer.body.job.id },
    });
  });

  test('IDX-5: ten concurrent calls embed nothing twice', async () => {
    await captureWithoutModel(12);
    const before = server.model.embedded.length;
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => server.send('POST', '/api/v1/reindex', { batchSize: 4 })),
    );
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(answers.reduce((sum, { body }) => sum + body.processed, 0)).toBe(12);
    expect(server.model.embedded.length - before).toBe(12);
  });
});
