import { readFile } from 'node:fs/promises';
import { CaptureAnswer, extensionOrigin, limits, validate } from '@recollect/contract';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from './start-test-server.js';

const LAMPS = new URL('../../../packages/extraction/test/fixtures/pdf/lamps.pdf', import.meta.url);

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

const capture = (body: unknown, headers?: Record<string, string>) =>
  server.send('POST', '/api/v1/capture', body, headers);
const stored = async () => (await server.core.memories.list('local')).memories;

test('CAP-20: the title of a page loses the name that several titles of its site share, and a chosen title stays', async () => {
  const page = (chapter: string) => ({
    url: `https://book.example/${encodeURIComponent(chapter)}`,
    html: `<title>${chapter} - The Lamp Book</title><p>All about ${chapter}, which a keeper must know by heart.</p>`,
  });
  const titleOf = async (body: unknown, headers?: Record<string, string>) =>
    (await capture(body, headers)).body.captures[0].title;
  const titles: string[] = [];
  for (const chapter of ['Oil', 'Wicks', 'Glass', 'Brass']) titles.push(await titleOf(page(chapter)));
  expect(titles).toEqual(['Oil - The Lamp Book', 'Wicks - The Lamp Book', 'Glass', 'Brass']);
  const sent = { title: 'Soot - The Lamp Book', url: 'https://book.example/soot', pageText: 'All about soot.' };
  expect(await titleOf(sent)).toBe('Soot - The Lamp Book');
  const fromExtension = { origin: extensionOrigin };
  const steel = { ...sent, title: 'Steel - The Lamp Book', url: 'https://book.example/steel', pageText: 'Of steel.' };
  expect(await titleOf(steel, fromExtension)).toBe('Steel');
  const own = { ...steel, title: 'Tin - The Lamp Book', url: 'https://book.example/tin', pageText: 'Of tin.' };
  expect(await titleOf({ ...own, ownTitle: true }, fromExtension)).toBe('Tin - The Lamp Book');
  const tea = { url: 'https://tea.example/', html: '<title>Tea - The Lamp Book</title><p>Of another site.</p>' };
  expect(await titleOf(tea)).toBe('Tea - The Lamp Book');
});

test('CAP-21: extract chooses between the article of a page and all of its text', async () => {
  const lines = 'The lamp burns oil, which a keeper must fill in before each evening, and trims at midnight. '.repeat(
    4,
  );
  const html = `<title>Lamps</title><nav><a href="/oil">Oil shop</a></nav><article><p>${lines}</p></article>`;
  const textOf = async (body: Record<string, unknown>) => {
    const { status, body: answer } = await capture({ html, ...body });
    expect(status).toBe(200);
    return (await server.core.memories.get('local', answer.captures[0].id)).text;
  };
  expect(await textOf({ url: 'https://lamps.example/1' })).not.toContain('Oil shop');
  expect(await textOf({ url: 'https://lamps.example/2', extract: 'article' })).not.toContain('Oil shop');
  expect(await textOf({ url: 'https://lamps.example/3', extract: 'page' })).toMatch(/Oil shop[\s\S]*burns oil/);
  const invalid = await capture({ html, extract: 'menu' });
  expect([invalid.status, invalid.body.errors[0].pointer]).toEqual([400, '/extract']);
});

test('CAP-22: comments are taken from html, unless the capture has them or leaves them out', async () => {
  const kinds = ['oil', 'wick', 'glass', 'brass', 'mirror', 'tower', 'stair', 'boat', 'flag'];
  const lines = kinds.map(
    (kind, at) =>
      `<p>In the year ${1900 + at * 7} a keeper wrote of the ${kind} that it lasted ${at + 2} winters, and that no storm of those could harm it as salt does.</p>`,
  );
  const comment = (name: string) =>
    `<div class="comment"><b class="author">${name}</b> <time datetime="2026-11-01">1 November</time><p>Said by ${name}.</p></div>`;
  const html = `<!doctype html><html lang="en"><title>Lamps go dark - The Herald</title><meta property="og:type" content="article">
    <header><a href="/">The Herald</a><nav><a href="/news">News</a><a href="/sport">Sport</a></nav></header>
    <main><article><h1>Lamps go dark</h1>${lines.join('')}</article>
    <section id="comments"><h3>2 comments</h3>${['Ann', 'Bo'].map(comment).join('')}</section></main>
    <footer><p>© 2026 The Herald. All rights reserved.</p></footer>`;
  const commentsOf = async (body: Record<string, unknown>) => {
    const { status, body: answer } = await capture({ html, ...body });
    expect(status).toBe(200);
    const memory = await server.send('GET', `/api/v1/memories/${answer.captures[0].id}`);
    expect(memory.body.text).not.toContain('Said by');
    return memory.body.comments;
  };
  const published = '2026-11-01T00:00:00.000Z';
  expect(await commentsOf({ url: 'https://lamps.example/1' })).toEqual([
    { author: 'Ann', published, text: 'Said by Ann.' },
    { author: 'Bo', published, text: 'Said by Bo.' },
  ]);
  expect(await commentsOf({ url: 'https://lamps.example/2', comments: [] })).toEqual([]);
  const own = [{ author: 'Cleo', published: '2026-11-02T12:00:00+01:00', text: 'Mine.' }];
  const stored = [{ ...own[0], published: '2026-11-02T11:00:00.000Z' }];
  expect(await commentsOf({ url: 'https://lamps.example/3', comments: own })).toEqual(stored);
  const invalid = await capture({ html, comments: [{ author: 'Cleo' }] });
  expect([invalid.status, invalid.body.errors[0].pointer]).toEqual([400, '/comments/0/text']);
});

describe('shapes', () => {
  test('CAP-1: the four shapes are equivalent, and results keep the order of the request', async () => {
    const one = { title: 'A page', url: 'https://a.example/1', pageText: 'Text one' };
    const { id: _, ...expected } = (await capture({ capture: one })).body.captures[0];
    for (const [at, body] of [one, [one], { captures: [one] }].entries()) {
      const answer = await capture(JSON.parse(JSON.stringify(body).replace('Text one', `Text ${at}`)));
      expect(answer.status).toBe(200);
      expect(answer.body.captures[0]).toMatchObject(expected);
    }
    const many = await capture(Array.from({ length: 20 }, (_, at) => ({ title: `T${at}`, pageText: `Many ${at}` })));
    expect(many.body.captures.map(({ title }: { title: string }) => title)).toEqual(
      Array.from({ length: 20 }, (_, at) => `T${at}`),
    );
  });

  test('CAP-1: rejects capture and captures in one body', async () => {
    const answer = await capture({ capture: { pageText: 'a' }, captures: [{ pageText: 'b' }] });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: 'VALIDATION_FAILED', detail: expect.stringContaining('other shape') });
    expect(await stored()).toEqual([]);
  });

  test('CAP-5: returns the documented shape, counts what was added, and url is null for a note', async () => {
    const answer = await capture({ selection: 'A short note.' });
    expect(answer.status).toBe(200);
    expect(validate(CaptureAnswer, answer.body)).toEqual([]);
    expect(answer.body).toEqual({
      imported: { documents: 1, chunks: 1, embedded: 1, embeddingsSkipped: false },
      captures: [
        {
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          title: 'A short note.',
          sourceType: 'note',
          captureMode: 'selection',
          sourceApp: 'web',
          url: null,
          status: 'created',
        },
      ],
      hooksTriggered: 0,
    });
  });
});

describe('content', () => {
  test('CAP-2: smart reports the mode whose text was used', async () => {
    const modes = async (body: object) =>
      (await capture({ captureMode: 'smart', ...body })).body.captures[0].captureMode;
    expect(await modes({ selection: 'a', pageText: 'b' })).toBe('selection');
    expect(await modes({ selection: '  ', pageText: 'c' })).toBe('page');
    expect(await modes({ messages: [{ role: 'user', text: 'd' }], pageText: 'e' })).toBe('conversation');
    expect(await modes({ captureMode: 'page', selection: 'f', pageText: 'g' })).toBe('page');
  });

  test('CAP-21: extracts the article from a raw page', async () => {
    const html = `<html><head><title>Bread</title><meta name="author" content="Jo"></head><body><nav>Home About</nav>
      <article><h1>Bread</h1><p>Sourdough needs flour, water and salt, and a long night of rest for the starter.</p>
      <ul><li>Bake it hot.</li></ul></article><footer>Imprint</footer></body></html>`;
    const answer = await capture({ html, url: 'https://bread.example/' });
    expect(answer.body.captures[0]).toMatchObject({ title: 'Bread', captureMode: 'page' });
    const memory = await server.core.memories.get('local', answer.body.captures[0].id);
    expect(memory.text).toContain('Sourdough needs flour');
    expect(memory.text).toContain('- Bake it hot.');
    expect(memory.text).not.toMatch(/Imprint|About/);
    expect([memory.page, memory.metadata]).toEqual([expect.objectContaining({ author: 'Jo' }), {}]);
  });

  test('CAP-15: extracts the text from a PDF, and says what is wrong with one that has none', async () => {
    const pdf = (await readFile(LAMPS)).toString('base64');
    const answer = await capture({ pdf, fileName: 'reports/seven.pdf', url: 'https://lamps.example/seven.pdf' });
    expect(answer.body.captures[0]).toMatchObject({ title: 'Gas Lamps of Harrow Street', captureMode: 'page' });
    const memory = await server.core.memories.get('local', answer.body.captures[0].id);
    expect(memory.text).toContain('what came instead of them');
    expect(memory).toMatchObject({
      page: { published: expect.any(String) },
      metadata: { fileName: 'reports/seven.pdf' },
    });
    expect((await capture({ pdf })).body.captures[0].status).toBe('created');
    const damaged = (await readFile(new URL('second-page-damaged.pdf', LAMPS))).toString('base64');
    expect((await capture({ pdf: damaged })).body.warnings).toEqual(['The PDF is damaged: its text lacks page 2.']);
    expect((await capture({ pdf, pageText: 'Its text, from elsewhere.' })).body.captures[0].title).toMatch(/^Its text/);
    for (const wrong of ['x', 'no base64!', Buffer.from('plain text').toString('base64')]) {
      const { status, body } = await capture({ pdf: wrong });
      expect([status, body.errors]).toEqual([400, [{ pointer: '/pdf', message: 'must be a PDF in Base64' }]]);
    }
    const broken = await capture({ pdf: Buffer.from('%PDF-1.7 and nothing else').toString('base64') });
    expect(broken.body).toMatchObject({
      status: 400,
      code: 'EXTRACTION_FAILED',
      detail: 'The PDF is damaged or incomplete.',
    });
  });

  test('CAP-3: does not store text that was not used', async () => {
    const { body } = await capture({ selection: 'chosen words', pageText: 'the secret rest of the page' });
    const memory = await server.core.memories.get('local', body.captures[0].id);
    expect(JSON.stringify(memory)).not.toContain('secret');
    expect((await server.core.query('local', 'secret')).answer.results.map(({ excerpt }) => excerpt)).not.toContain(
      'secret',
    );
  });

  test('CAP-4: the surface becomes the source type', async () => {
    for (const sourceApp of ['chatgpt', 'claude', 'openclaw']) {
      const { body } = await capture({ sourceApp, url: `https://${sourceApp}.example/`, pageText: sourceApp });
      expect(body.captures[0]).toMatchObject({ sourceApp, sourceType: sourceApp });
    }
    expect((await capture({ url: 'https://a.example/', pageText: 'x' })).body.captures[0].sourceType).toBe('url');
    expect((await capture({ pageText: 'y' })).body.captures[0].sourceType).toBe('note');
  });

  test('CAP-11: returns text and metadata as sent, without NUL', async () => {
    const text = 'Ünïcödé 漢字 \u202e 𝄞 "quotes" <b>tags</b>\r\n\ttabs\u0000.';
    const metadata = { extensionVersion: '1.0', ключ: [1, 2.5, null, { deep: 'x\u0000y' }], empty: {} };
    const { body } = await capture({ pageText: text, metadata });
    const memory = await server.send('GET', `/api/v1/memories/${body.captures[0].id}`);
    expect(memory.body.text).toBe(text.replace('\u0000', ''));
    expect(memory.body.metadata).toEqual({ ...metadata, ключ: [1, 2.5, null, { deep: 'xy' }] });
  });
});

describe('bad input', () => {
  test('CAP-4: saves a page whose host is named like a property of every object', async () => {
    for (const host of ['constructor', '__proto__', 'toString']) {
      const body = { url: `http://${host}/`, pageText: `of ${host}` };
      const { status, body: answer } = await server.send('POST', '/api/v1/capture', body);
      expect([host, status, answer.captures?.[0].sourceType]).toEqual([host, 200, 'url']);
    }
  });

  test('CAP-7: rejects too many merged tags with a pointer into the body, and stores nothing', async () => {
    const tags = (letter: string) => Array.from({ length: 60 }, (_, at) => `${letter}${at}`);
    const page = { url: 'https://tags.example/', pageText: 'the same text' };
    await server.send('POST', '/api/v1/capture', { ...page, tags: tags('a') });
    const { status, body } = await server.send('POST', '/api/v1/capture', {
      captures: [{ pageText: 'another one' }, { ...page, tags: tags('b') }],
    });
    expect([status, body.code, body.errors[0].pointer]).toEqual([400, 'VALIDATION_FAILED', '/captures/1/tags']);
    expect(body.detail).toMatch(/^Capture 1: .*120 tags.*may have 100/);
    const { memories } = (await server.send('GET', '/api/v1/memories')).body;
    expect(memories.map(({ title }: { title: string }) => title)).not.toContain('another one');
  });

  test('CAP-6: rejects every form of a request without content', async () => {
    for (const body of [
      '',
      'null',
      '{}',
      '[]',
      '{"capture":null}',
      '{"capture":{}}',
      '{"captures":[]}',
      '{"captures":null}',
      '{"capture":[]}',
      '[null]',
      '[{}]',
      '{"title":"t"}',
      '{"title":"t","pageText":" "}',
      '{"url":"https://a.example/","pageText":" "}',
      '{"url":"https://a.example/","captureMode":"selection"}',
      '{"url":" "}',
      '{"html":"<html></html>"}',
      '{"selection":"\\u0000"}',
    ]) {
      const answer = await capture(body);
      expect([body, answer.status, answer.body.code]).toEqual([body, 400, 'CAPTURE_EMPTY']);
    }
  });

  test('CAP-16: an address without content is saved as a link, which its page fills', async () => {
    const url = 'https://garden.example/ferns';
    const saved = await capture({ url, title: 'Ferns', tags: ['to read'], metadata: { content: 'page' } });
    expect([saved.status, saved.body.captures[0]]).toMatchObject([
      200,
      { status: 'created', title: 'Ferns', sourceType: 'url', url },
    ]);
    const [{ id }] = saved.body.captures;
    expect(await server.core.memories.get('local', id)).toMatchObject({ text: 'Ferns', isLink: true });
    const links = await server.core.query('local', 'is:link');
    expect(links.answer.results.map((result) => result.id)).toEqual([id]);
    expect((await capture({ url: 'https://bare.example/' })).body.captures[0].title).toBe('https://bare.example/');
    const page = await capture({ url, pageText: 'Ferns like shade and moist soil.' });
    expect(page.body.captures[0]).toMatchObject({ id, status: 'updated', title: 'Ferns' });
    const again = await capture({ url: `${url}#top`, title: 'Ferns again', tags: ['plants'] });
    expect(again.body.captures[0]).toMatchObject({ id, status: 'duplicate', merged: ['tags'] });
    expect(await server.core.memories.get('local', id)).toMatchObject({
      text: 'Ferns like shade and moist soil.',
      isLink: false,
      tags: ['to read', 'plants'],
    });
  });

  test('CAP-16: metadata makes no memory a link, not even one that says so', async () => {
    const url = 'https://garden.example/moss';
    const metadata = { content: 'link', nested: { content: 'link' } };
    const { body } = await capture([
      { pageText: 'Moss', metadata },
      { url, pageText: 'Moss', metadata },
    ]);
    for (const { id } of body.captures)
      expect(await server.core.memories.get('local', id)).toMatchObject({ isLink: false, metadata });
    expect((await server.core.query('local', 'is:link')).answer.results).toEqual([]);
    expect((await capture({ url, pageText: 'Moss grows on stones.' })).body.captures[0].status).toBe('created');
  });

  test('CAP-17: a file has its own source type, unless it is a saved page', async () => {
    const { body } = await capture([
      { pageText: 'Leeks and cream.', fileName: 'soups.md' },
      { pageText: 'Just a note.' },
      { pageText: 'Leeks and water.', fileName: 'page.md', url: 'https://soups.example/' },
    ]);
    expect(body.captures.map(({ sourceType }: { sourceType: string }) => sourceType)).toEqual(['file', 'note', 'url']);
    const files = await server.core.query('local', 'source:file');
    expect(files.answer.results.map(({ id }) => id)).toEqual([body.captures[0].id]);
  });

  test('CAP-6: names the empty captures if only some have content, and stores nothing', async () => {
    const answer = await capture([{ pageText: 'full' }, {}, { pageText: 'full too' }, { selection: '' }]);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      code: 'CAPTURE_EMPTY',
      detail: expect.stringContaining('1, 3'),
      errors: [{ pointer: '/1' }, { pointer: '/3' }],
    });
    expect((await capture({ captures: [{ pageText: 'full' }, {}] })).body.errors).toMatchObject([
      { pointer: '/captures/1' },
    ]);
    expect(await stored()).toEqual([]);
  });

  test('CAP-11: rejects input that is too large or invalid, and stores nothing', async () => {
    const nested = (depth: number): unknown => (depth === 0 ? 1 : { a: nested(depth - 1) });
    const refused: [unknown, RegExp][] = [
      [{ pageText: 'x', metadata: { big: 'y'.repeat(limits.capture.metadataBytes) } }, /64 KiB/],
      [{ pageText: 'x', metadata: nested(40) }, /nested deeper/],
      [Array.from({ length: 101 }, () => ({ pageText: 'x' })), /at most 100/],
      [{ pageText: 'x', url: 'javascript:alert(1)' }, /http or https/],
      [{ pageText: 'x', url: 'ftp://a.example/' }, /http or https/],
      [{ captures: [{ pageText: 'x' }, { pageText: 5 }] }, /captures\/1\/pageText/],
      [{ pageText: 'x', captureMode: 'all' }, /one of: smart/],
      [{ pageText: 'x', capturedAt: 'yesterday' }, /ISO 8601/],
      [{ pageText: 'x', tags: 'a' }, /tags/],
      [{ pageText: 'x', metadata: [] }, /metadata/],
    ];
    for (const [body, reason] of refused) {
      const answer = await capture(body);
      expect([answer.status, answer.body.detail]).toEqual([400, expect.stringMatching(reason)]);
    }
    expect(await stored()).toEqual([]);
  });

  test('CAP-11: rejects a body over 16 MiB', async () => {
    const answer = await capture({ pageText: 'x'.repeat(limits.body.bytes) });
    expect([answer.status, answer.body.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    // A client that is still sending can read the answer: the connection stays.
    expect(answer.headers.get('connection')).not.toBe('close');
  });
});

describe('repeated captures', () => {
  const page = { title: 'P', url: 'https://a.example/p', pageText: 'The same text.' };

  test('CAP-7: capturing the same page again creates no second memory and updates its time', async () => {
    const first = await capture(page);
    const again = await capture({ ...page, capturedAt: '2199-01-01T00:00:00Z' });
    expect(again.body.imported).toEqual({ documents: 0, chunks: 0, embedded: 0, embeddingsSkipped: false });
    expect(again.body.captures[0]).toEqual({ ...first.body.captures[0], status: 'duplicate' });
    expect((await capture({ ...page, title: 'Another title' })).body.captures[0].title).toBe('P');
    expect((await stored()).map(({ lastCapturedAt }) => lastCapturedAt)).toEqual(['2199-01-01T00:00:00.000Z']);
    expect((await capture({ ...page, pageText: 'Another text.' })).body.captures[0].status).toBe('created');
    expect((await capture({ ...page, url: 'https://b.example/' })).body.captures[0].status).toBe('created');
  });

  test('CAP-7: ten concurrent captures create one memory', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => capture(page)));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(answers.filter(({ body }) => body.captures[0].status === 'created').length).toBe(1);
    expect((await stored()).length).toBe(1);
  });

  test('CAP-8: replays the response for a retry with the same key, and rejects the key with another body', async () => {
    const headers = { 'idempotency-key': '7b1f0c4e' };
    const first = await capture(page, headers);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    const again = await capture(page, headers);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
    const other = await capture({ ...page, pageText: 'Other.' }, headers);
    expect([other.status, other.body.code]).toEqual([422, 'IDEMPOTENCY_MISMATCH']);
    expect((await stored()).length).toBe(1);
    expect((await capture(page, { 'idempotency-key': 'a, b' })).status).toBe(400);
  });

  test('CAP-12: keeps the URL as sent', async () => {
    const url = 'https://A.example/p?utm_source=x#part';
    expect((await capture({ ...page, url })).body.captures[0].url).toBe(url);
    expect((await capture({ ...page, url: 'https://a.example/p' })).body.captures[0].status).toBe('duplicate');
  });
});

describe('embedding', () => {
  test('CAP-9: accepts a large import and queues its indexing', async () => {
    const text = Array.from({ length: 4_000 }, (_, at) => `Sentence ${at} of a very long page about rivers.`).join(' ');
    const answer = await capture({ pageText: text });
    expect(answer.status).toBe(200);
    expect(answer.body.imported).toMatchObject({ documents: 1, embedded: 0, embeddingsSkipped: true });
    expect((await server.send('GET', '/api/v1/reindex')).body.latestJob.status).toBe('pending');
  });

  test('CAP-9: answers after 15 s if the model is slower, and leaves the embeddings to the job', {
    tags: 'long',
  }, async () => {
    server.model.failure = () => new Promise((_, reject) => setTimeout(() => reject(new Error('stopped')), 16_000));
    const answer = await capture({ pageText: 'slow' });
    expect([answer.status, answer.body.imported.embeddingsSkipped]).toEqual([200, true]);
    expect((await server.send('GET', '/api/v1/reindex')).body).toMatchObject({
      withoutEmbeddings: 1,
      latestJob: { status: 'pending' },
    });
  });

  test('CAP-10: returns 500 and what was saved when the model fails', async () => {
    server.model.failure = async () => {
      throw new Error('secret inside');
    };
    const answer = await capture({ pageText: 'kept' });
    expect(answer.status).toBe(500);
    expect(answer.body).toMatchObject({
      code: 'EMBEDDING_FAILED',
      saved: true,
      imported: { documents: 1, embedded: 0, embeddingsSkipped: true },
      captures: [{ status: 'created' }],
    });
    expect(JSON.stringify(answer.body)).not.toContain('secret inside');
    expect((await server.send('GET', '/api/v1/reindex')).body.latestJob.status).toBe('failed');
  });

  test('CAP-10: returns 500 without internal details when the store fails', async () => {
    await server.storage.close();
    const answer = await capture({ pageText: 'lost' });
    expect([answer.status, answer.body.code]).toEqual([500, 'IMPORT_FAILED']);
    expect(JSON.stringify(answer.body)).not.toMatch(/sqlite|insert|select|\.js/i);
  });
});
