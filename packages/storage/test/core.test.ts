import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Core, createCapture, createCore, createQuery, RecollectError } from '@recollect/core';
import { createFakeClock, createFakeModel, type FakeClock, type FakeModel } from '@recollect/core/testing';
import { openStorage, type Storage } from '@recollect/storage';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const USER = 'local';
let storage: Storage;
let model: FakeModel;
let clock: FakeClock;
let core: Core;

beforeEach(async () => {
  storage = await openStorage({ url: 'sqlite::memory:', readers: 0 });
  model = createFakeModel();
  clock = createFakeClock();
  core = createCore({ ...storage, embeddingModel: model, clock });
});
afterEach(() => storage.close());

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'no error',
    (error) => (error instanceof RecollectError ? error.code : String(error)),
  );
const words = (count: number) =>
  Array.from({ length: count }, (_, at) => `Sentence number ${at} of a long text about nothing.`).join(' ');
const fail = async () => {
  throw new Error('down');
};
const saveEmbeddings = async () => {
  throw new Error('no room');
};
/** Core over a store that rejects embeddings. */
const createCoreWithoutEmbeddings = () =>
  createCore({ ...storage, embeddingModel: model, clock, memories: { ...storage.memories, saveEmbeddings } });
const DAY = 86_400_000;
/** Lets days pass on which the store is in use. */
const passDays = async (days: number) => {
  for (let day = 0; day < days; day++) {
    clock.advance(DAY);
    await core.memories.purge();
  }
};

describe('capture', () => {
  test('CAP-9: embeds more than 100 chunks later, in a queued job', async () => {
    const { answer } = await core.capture(USER, [{ pageText: words(4_000) }]);
    expect(answer.imported).toMatchObject({ documents: 1, embedded: 0, embeddingsSkipped: true });
    expect(answer.imported.chunks).toBeGreaterThan(100);
    expect(model.embedded).toEqual([]);
    expect(await core.indexing.state(USER)).toMatchObject({
      withoutEmbeddings: 1,
      needsReindex: true,
      latestJob: { status: 'pending', remainingCount: 1 },
    });
    while ((await core.indexing.reindex(USER)).status === 'pending');
    expect(await core.indexing.state(USER)).toMatchObject({
      withEmbeddings: 1,
      needsReindex: false,
      latestJob: { status: 'completed' },
    });
    expect(model.embedded.length).toBe(answer.imported.chunks);
  });

  test('CAP-9: embeds exactly 100 chunks inline', async () => {
    const captures = Array.from({ length: 100 }, (_, at) => ({ pageText: `Note ${at}` }));
    const { answer } = await core.capture(USER, captures);
    expect(answer.imported).toEqual({ documents: 100, chunks: 100, embedded: 100, embeddingsSkipped: false });
    expect((await core.indexing.state(USER)).latestJob).toBeNull();
  });

  test('CAP-9: captures that arrive together do not wait for one another, and are embedded later', async () => {
    const texts = Array.from({ length: 60 }, (_, at) => `Note ${at}`);
    const outcomes = await Promise.all(texts.map((pageText) => core.capture(USER, [{ pageText }])));
    const embedded = outcomes.filter(({ embedding }) => embedding === 'done');
    expect(embedded.length).toBeGreaterThanOrEqual(1);
    expect(outcomes.filter(({ embedding }) => embedding === 'queued').length).toBe(60 - embedded.length);
    while ((await core.indexing.reindex(USER)).status === 'pending');
    expect(await core.indexing.state(USER)).toMatchObject({ withEmbeddings: 60, withoutEmbeddings: 0 });
    expect(model.embedded.length).toBe(60);
    // Their turns have ended.
    expect((await core.capture(USER, [{ pageText: 'One more' }])).embedding).toBe('done');
  });

  test('CAP-9: blocks the job when there is no model', async () => {
    core = createCore({ ...storage, clock });
    const { answer } = await core.capture(USER, [{ pageText: 'Some text' }]);
    expect(answer.imported).toEqual({ documents: 1, chunks: 1, embedded: 0, embeddingsSkipped: true });
    expect((await core.indexing.state(USER)).latestJob?.status).toBe('blocked');
  });

  test('CAP-10: loses nothing when the model fails, and a later batch embeds it', async () => {
    model.failure = fail;
    expect(await core.capture(USER, [{ pageText: 'kept text' }])).toMatchObject({
      embedding: 'failed',
      failure: { reason: 'The embedding model failed.' },
      answer: { imported: { documents: 1, embedded: 0, embeddingsSkipped: true } },
    });
    expect((await core.indexing.state(USER)).latestJob).toMatchObject({ status: 'failed', remainingCount: 1 });
    expect((await core.query(USER, 'kept')).answer.results.length).toBe(1);
    model.failure = null;
    expect(await core.indexing.reindex(USER)).toMatchObject({ status: 'completed', processed: 1 });
  });

  test('CAP-9: leaves a job when the process dies while embedding', async () => {
    // The model never answers, as if the process had died.
    model.failure = () => new Promise<never>(() => {});
    void core.capture(USER, [{ pageText: 'half done' }]);
    await expect
      .poll(async () => (await core.indexing.state(USER)).latestJob)
      .toMatchObject({ status: 'pending', remainingCount: 1 });
    const survivor = createFakeModel();
    const other = createCore({ ...storage, embeddingModel: survivor, clock });
    // The clock of this test is months in the past, so the job counts as due.
    expect(await other.indexing.runDue()).toEqual({ jobs: 1, pending: 0 });
    expect(await other.indexing.state(USER)).toMatchObject({ withEmbeddings: 1, needsReindex: false });
  });

  test('CAP-10: keeps the capture and a job when the embeddings cannot be stored', async () => {
    const broken = createCoreWithoutEmbeddings();
    expect((await broken.capture(USER, [{ pageText: 'kept' }])).failure?.reason).toBe(
      'The embeddings could not be stored.',
    );
    expect((await core.indexing.state(USER)).latestJob).toMatchObject({ status: 'failed', remainingCount: 1 });
    const mute = {
      ...storage,
      memories: { ...storage.memories, saveEmbeddings },
      indexingJobs: { ...storage.indexingJobs, queue: saveEmbeddings },
    };
    const worse = createCore({ ...mute, embeddingModel: model, clock });
    // The failure is reported even if it cannot be recorded.
    expect((await worse.capture(USER, [{ pageText: 'kept too' }])).embedding).toBe('failed');
    expect((await core.indexing.state(USER)).latestJob?.status).not.toBe('completed');
  });

  test('CAP-8: returns the first answer to a retry, even while the first request is running', async () => {
    const captures = [{ pageText: 'once' }];
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => core.capture(USER, captures, { idempotencyKey: 'k' })),
    );
    expect(new Set(answers.map(({ answer }) => JSON.stringify(answer))).size).toBe(1);
    expect(answers.filter(({ replayed }) => !replayed).length).toBe(1);
    const later = await core.capture(USER, captures, { idempotencyKey: 'k' });
    expect(later).toEqual({
      answer: answers[0]?.answer,
      embedding: 'done',
      failure: null,
      replayed: true,
      inTrash: [],
    });
    expect(later.answer.imported.embedded).toBe(1);
    expect(await codeOf(core.capture(USER, [{ pageText: 'other' }], { idempotencyKey: 'k' }))).toBe(
      'IDEMPOTENCY_MISMATCH',
    );
  });

  test('CAP-8, REL-5: returns the first answer to a retry after a crash', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'recollect-retry-'));
    const captures = [{ pageText: 'once' }];
    const capture = (of: Storage) => createCore(of).capture(USER, captures, { idempotencyKey: 'k' });
    const first = await openStorage({ url: `sqlite:${join(folder, 'recollect.db')}`, readers: 0 });
    try {
      const { answer } = await capture(first);
      // The state after a process is killed.
      await mkdir(join(folder, 'killed'));
      for (const file of ['recollect.db', 'recollect.db-wal'])
        await copyFile(join(folder, file), join(folder, 'killed', file));
      const next = await openStorage({ url: `sqlite:${join(folder, 'killed', 'recollect.db')}`, readers: 0 });
      expect(await capture(next)).toMatchObject({ answer, replayed: true });
      expect((await createCore(next).memories.list(USER, {})).memories.length).toBe(1);
      await next.close();
    } finally {
      await first.close();
      await rm(folder, { recursive: true });
    }
  });

  test('CAP-7, CAP-8: a retry gives a known page the title that the user chose, unless it has another by then', async () => {
    const page = { pageText: 'A page that is known.', url: 'https://a.example/', title: 'Title of the page' };
    const [known] = (await core.capture(USER, [page])).answer.captures;
    const id = known?.id ?? '';
    const stopping = createCore({ ...storage, clock, memories: { ...storage.memories, update: fail } });
    const titled = [{ ...page, title: 'My title', ownTitle: true }];
    const retry = (key: string) => core.capture(USER, titled, { idempotencyKey: key });
    for (const idempotencyKey of ['a', 'b'])
      await expect(stopping.capture(USER, titled, { idempotencyKey })).rejects.toThrow('down');
    const { replayed, answer } = await retry('a');
    expect([replayed, answer.captures[0]]).toMatchObject([true, { status: 'duplicate', title: 'My title' }]);
    await core.memories.update(USER, id, { title: 'A better title' });
    expect((await retry('b')).replayed).toBe(true);
    await retry('a');
    expect((await core.memories.get(USER, id)).title).toBe('A better title');
    await core.memories.remove(USER, id);
    expect((await retry('b')).replayed).toBe(true);
  });

  test('CAP-8: keeps answers for 30 days', async () => {
    await core.capture(USER, [{ pageText: 'once' }], { idempotencyKey: 'k' });
    await passDays(29);
    expect((await core.capture(USER, [{ pageText: 'once' }], { idempotencyKey: 'k' })).replayed).toBe(true);
    await passDays(2);
    expect((await core.capture(USER, [{ pageText: 'once' }], { idempotencyKey: 'k' })).replayed).toBe(false);
  });

  test('CAP-6: stores nothing if one of several captures is empty', async () => {
    const outcome = core.capture(USER, [{ pageText: 'full' }, { title: 'empty' }, null]);
    await expect(outcome).rejects.toMatchObject({
      code: 'CAPTURE_EMPTY',
      errors: [{ pointer: '/1' }, { pointer: '/2' }],
    });
    expect((await core.memories.list(USER)).memories).toEqual([]);
  });

  test('CAP-12: a route after # is part of an address, and other fragments are not', async () => {
    const app = 'https://app.example/recipes';
    const save = async (url: string) =>
      (await core.capture(USER, [{ pageText: 'Leeks', url }])).answer.captures[0]?.status;
    expect(await save(`${app}#/soups/leek`)).toBe('created');
    expect(await save(`${app}#/cakes/plum`)).toBe('created');
    expect(await save(`${app}#!/cakes/plum`)).toBe('created');
    expect(await save(`${app}#/cakes/plum:~:text=sugar`)).toBe('duplicate');
    expect(await save('https://mail.google.com/mail/u/0/#inbox/KtbxLx')).toBe('created');
    expect(await save('https://mail.google.com/mail/u/0/#inbox/FMfcgx')).toBe('created');
    expect(await save(app)).toBe('created');
    for (const part of ['#install', '#:~:text=Leeks', '#', '#/', '#!'])
      expect([part, await save(app + part)]).toEqual([part, 'duplicate']);
    const urls = [`${app}#/soups/leek`, `${app}#/soups/onion`];
    const { found } = await core.memories.lookup(USER, urls);
    expect(found.map(({ url }) => url)).toEqual(urls.slice(0, 1));
  });

  test('CAP-12: ignores tracking parameters and fragments for duplicates, and keeps the URL as sent', async () => {
    const first = await core.capture(USER, [{ pageText: 'same', url: 'https://a.example/x?utm_source=mail#top' }]);
    const second = await core.capture(USER, [{ pageText: 'same', url: 'https://a.example/x' }]);
    expect(second.answer.captures[0]).toMatchObject({ status: 'duplicate', id: first.answer.captures[0]?.id });
    const { found } = await core.memories.lookup(USER, ['https://a.example/x?gclid=1']);
    expect(found.length).toBe(1);
    expect((await core.memories.get(USER, first.answer.captures[0]?.id ?? '')).url).toBe(
      'https://a.example/x?utm_source=mail#top',
    );
  });
});

describe('conversations', () => {
  const url = 'https://chatgpt.com/c/1';
  const turns = Array.from({ length: 64 }, (_, at) => ({
    role: at % 2 === 0 ? 'user' : 'assistant',
    text: `Turn ${at}: ${words(5)}`,
  }));
  const conversation = (count: number) => ({ url, captureMode: 'smart' as const, messages: turns.slice(0, count) });
  const rendered = (count: number) =>
    turns
      .slice(0, count)
      .map(({ role, text }) => `${role}: ${text}`)
      .join('\n\n');

  test('CAP-13: adds only the new turns of a recaptured conversation, and embeds only those', async () => {
    const first = await core.capture(USER, [conversation(60)]);
    const id = first.answer.captures[0]?.id ?? '';
    model.embedded.length = 0;
    const second = await core.capture(USER, [{ ...conversation(64), title: 'Another title' }]);
    expect(second.answer.captures).toEqual([{ ...first.answer.captures[0], status: 'updated' }]);
    const { chunks } = second.answer.imported;
    expect(second.answer.imported).toEqual({ documents: 0, chunks, embedded: chunks, embeddingsSkipped: false });
    expect(model.embedded.length).toBe(chunks);
    expect(model.embedded.join()).not.toContain('Turn 58');
    // The overlap with the previous chunk makes a passage that crosses the boundary findable.
    expect(model.embedded[0]).toContain(turns[59]?.text.slice(-20));
    const memory = await core.memories.get(USER, id);
    expect(memory.text).toBe(rendered(64));
    expect(memory.embedding.state).toBe('embedded');
    expect((await core.capture(USER, [conversation(64)])).answer.captures[0]?.status).toBe('duplicate');
    expect((await core.memories.list(USER)).memories.length).toBe(1);
  });

  test('CAP-13: creates a second memory for an edited turn, a longer turn and a shorter conversation', async () => {
    const first = await core.capture(USER, [conversation(4)]);
    const id = first.answer.captures[0]?.id ?? '';
    const change = (text: string) => [...turns.slice(0, 3), { role: 'assistant', text }, ...turns.slice(4, 6)];
    const edited = [
      { ...conversation(6), messages: change('Edited.') },
      { ...conversation(6), messages: change(`${turns[3]?.text}\n\nMore of it.`) },
      conversation(3),
    ];
    for (const capture of edited) {
      const { answer } = await core.capture(USER, [capture]);
      expect(answer.captures[0]?.status).toBe('created');
      expect(answer.imported.documents).toBe(1);
    }
    expect((await core.memories.get(USER, id)).text).toBe(rendered(4));
  });
});

describe('verbs', () => {
  test('capture and query need only their own ports, and none for plugins', async () => {
    const { memories, indexingJobs, hybridIndex, textIndex } = storage;
    const capture = createCapture({ memories, indexingJobs, embeddingModel: model, articleExtractor: null, clock });
    const query = createQuery({ memories, hybridIndex, textIndex, embeddingModel: model, clock });
    expect((await capture(USER, [{ title: 'Tea', pageText: 'Steeped in water.' }])).embedding).toBe('done');
    expect((await query(USER, 'water')).answer.results[0]?.title).toBe('Tea');
  });

  test('a search waits for its turn', async () => {
    await core.capture(USER, [{ title: 'Tea', pageText: 'Steeped in water.' }]);
    const turns: (() => void)[] = [];
    const inTurn = async <T>(search: () => Promise<T>) => {
      await new Promise<void>((resolve) => turns.push(resolve));
      return search();
    };
    const { memories, hybridIndex, textIndex } = storage;
    const query = createQuery({ memories, hybridIndex, textIndex, embeddingModel: model, clock }, { inTurn });
    const [first, second] = [query(USER, 'water'), query(USER, 'steeped')];
    await expect.poll(() => turns.length).toBe(2);
    turns[1]?.();
    expect((await second).answer.results[0]?.title).toBe('Tea');
    turns[0]?.();
    expect((await first).answer.results[0]?.title).toBe('Tea');
  });

  test('QRY-8: request fields override query operators', async () => {
    await core.capture(USER, [
      { pageText: 'one', tags: ['a'] },
      { pageText: 'one', title: 'two', tags: ['b'], url: 'https://x.example/' },
    ]);
    const titles = async (query: string, filter: object) =>
      (await core.query(USER, query, { filter })).answer.results.map(({ title }) => title);
    expect(await titles('one tag:a', { tag: 'b' })).toEqual(['two']);
    expect(await titles('one tag:a', { tag: undefined, site: undefined })).toEqual(['one']);
  });
});

describe('query', () => {
  beforeEach(() =>
    core.capture(USER, [
      { title: 'Tea', pageText: 'Green leaves steeped in water.' },
      { title: 'Rocks', pageText: 'Granite and basalt.' },
    ]),
  );

  test('QRY-4: a query in a script that the model does not read is searched by full text only', async () => {
    await core.capture(USER, [{ pageText: '東京タワーは赤い。' }]);
    const latin = { ...model, profile: { ...model.profile, scripts: ['Latin'] } };
    const reading = createCore({ ...storage, clock, embeddingModel: latin });
    const asked = model.embedded.length;
    expect(await reading.query(USER, '東京タワー')).toMatchObject({
      retrieval: 'text',
      isDegraded: false,
      answer: { results: [{ excerpt: '東京タワーは赤い。', match: { text: 1, meaning: 0 } }] },
    });
    expect(model.embedded).toHaveLength(asked);
    expect((await reading.query(USER, 'the tower of 東京')).retrieval).toBe('hybrid');
  });

  test('QRY-6, QRY-12: accepts hundreds of phrases and excluded words', async () => {
    const phrases = Array.from({ length: 300 }, (_, at) => `"a${at}"`).join(' ');
    expect((await core.query(USER, phrases)).answer.warnings).toEqual([expect.stringContaining('first 20 phrases')]);
    const words = Array.from({ length: 600 }, (_, at) => `-${String.fromCharCode(97 + (at % 26))}`).join(' ');
    expect((await core.query(USER, `${words} granite`)).answer.results[0]).toMatchObject({ title: 'Rocks' });
  });

  test('QRY-12: finds every phrase of a text, also where its chunks meet, and excludes by it', async () => {
    const letters = (at: number) => String.fromCodePoint(97 + (at % 26), 97 + (Math.floor(at / 26) % 26), 122);
    // All 676 words are different.
    const text = Array.from({ length: 676 }, (_, at) => letters(at)).join(' ');
    const han = Array.from({ length: 1_500 }, (_, at) => String.fromCodePoint(0x4e00 + at)).join('');
    const saved = await core.capture(USER, [{ pageText: text }, { pageText: han }]);
    expect(saved.answer.imported.chunks).toBeGreaterThan(4);
    await core.capture(USER, [{ pageText: 'Something else.' }]);
    const [ofText, ofHan] = saved.answer.captures;
    /** Where a chunk ends and the next one begins. */
    const ends = async (id = '') => {
      const chunks = await storage.memories.pendingChunksOf(USER, 'no model', id);
      return chunks.slice(1).map((_, at) => chunks.slice(0, at + 1).reduce((sum, chunk) => sum + chunk.text.length, 0));
    };
    const resultsOf = async (query: string) => (await core.query(USER, query, { asTyped: true })).answer.results;
    const find = async (query: string) => (await resultsOf(query)).length;
    const across: string[] = [];
    for (const end of await ends(ofText?.id)) {
      const [before, after] = [text.slice(0, end).trim().split(' '), text.slice(end).trim().split(' ')];
      for (const count of [1, 2]) across.push([...before.slice(-count), ...after.slice(0, 3 - count)].join(' '));
    }
    for (const end of await ends(ofHan?.id))
      for (const count of [1, 2, 3]) across.push(han.slice(end - count, end - count + 4));
    expect(across.length).toBeGreaterThan(10);
    for (const phrase of across) {
      expect([phrase, await find(`"${phrase}"`)]).toEqual([phrase, 1]);
      const left = await resultsOf(`something ${text.slice(0, 3)} ${han.slice(0, 2)} -"${phrase}"`);
      const id = text.includes(phrase) ? ofText?.id : ofHan?.id;
      expect([phrase, left.map((result) => result.id)]).toEqual([phrase, expect.not.arrayContaining([id])]);
    }
    expect(await find('"aaz caz"')).toBe(0);
  });

  test('QRY-9: names the words that matched and the range of the passage', async () => {
    const text = `${'🦄 Filler about nothing in particular. '.repeat(80)}\n\nO’Brien paid 48,250 for waggle dances. ${'More of it. '.repeat(90)}`;
    const { answer } = await core.capture(USER, [{ title: 'A dance', pageText: text }]);
    const memory = await core.memories.get(USER, answer.captures[0]?.id ?? '');
    expect(memory.chunks).toBeGreaterThan(2);
    const [result] = (await core.query(USER, 'obrien Waggled 48250 dance parliament')).answer.results;
    expect(result?.match.terms).toEqual(['obrien', 'waggled', '48250', 'dance']);
    const { start = 0, end = 0 } = result?.match.passage ?? {};
    expect(memory.text.slice(start, end)).toContain('waggle dances');
    expect([start > 1_000, end < text.length]).toEqual([true, true]);
  });

  test('QRY-4: falls back to full text when the model fails or is too slow', async () => {
    model.failure = fail;
    expect(await core.query(USER, 'granite')).toMatchObject({
      retrieval: 'text',
      answer: { results: [{ title: 'Rocks' }] },
    });
    model.failure = () => new Promise(() => {});
    expect((await core.query(USER, 'granite')).retrieval).toBe('text');
  });

  test('QRY-4: reports a failing store', async () => {
    await storage.close();
    expect(await codeOf(core.query(USER, 'granite'))).toBe('RETRIEVAL_FAILED');
    expect(await codeOf(core.capture(USER, [{ pageText: 'x' }]))).toBe('IMPORT_FAILED');
    storage = await openStorage({ url: 'sqlite::memory:', readers: 0 });
  });

  test('QRY-1: returns one result per memory, best first, even when every chunk matches', async () => {
    await core.capture(USER, [{ title: 'Long', pageText: words(200) }]);
    const { answer } = await core.query(USER, 'long text about nothing', { limit: 50 });
    expect(new Set(answer.results.map(({ id }) => id)).size).toBe(answer.results.length);
    expect(answer.results[0]?.title).toBe('Long');
    const scores = answer.results.map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
  });

  test('QRY-1: a memory with very many matching chunks does not hide the others', async () => {
    await core.capture(USER, [
      {
        title: 'Book',
        pageText: Array.from({ length: 4_000 }, (_, at) => `Sentence ${at} of the book is about zinc.`).join(' '),
      },
    ]);
    while ((await core.indexing.reindex(USER)).status === 'pending');
    await core.capture(
      USER,
      Array.from({ length: 5 }, (_, at) => ({
        title: `Note ${at}`,
        pageText: `A long note with other words, and zinc once, number ${at}.`,
      })),
    );
    const { answer } = await core.query(USER, 'zinc', { limit: 50 });
    expect(answer.results.map(({ title }) => title)).toEqual(expect.arrayContaining(['Book', 'Note 0', 'Note 4']));
  });

  test('QRY-3: finds an unfinished word even if it is a complete word in another memory', async () => {
    await core.capture(USER, [
      { title: 'Album', pageText: 'A photo album.' },
      { title: 'Leaf', pageText: 'Photosynthesis in leaves.' },
    ]);
    const fullTextOnly = createCore({ ...storage, clock });
    const { answer } = await fullTextOnly.query(USER, 'photo');
    expect(answer.results.map(({ title }) => title).sort()).toEqual(['Album', 'Leaf']);
  });

  test('QRY-3: an unfinished word finds words that begin with it, after the word itself, and not words that begin with its stem', async () => {
    const texts = ['Bees dance.', 'It has been cold.', 'Beeswax is warm.', 'A bee.'];
    await core.capture(
      USER,
      texts.map((pageText) => ({ pageText })),
    );
    const fullTextOnly = createCore({ ...storage, clock });
    const found = async (query: string) =>
      (await fullTextOnly.query(USER, query)).answer.results.map(({ excerpt }) => excerpt);
    expect((await found('bees')).sort()).toEqual(['A bee.', 'Bees dance.', 'Beeswax is warm.']);
    const typed = await found('bee');
    expect(typed.slice(0, 2).sort()).toEqual(['A bee.', 'Bees dance.']);
    expect(typed.slice(2).sort()).toEqual(['Beeswax is warm.', 'It has been cold.']);
  });

  test('QRY-8: a query with only operators lists the matching memories, newest first', async () => {
    await core.capture(USER, [{ pageText: 'tagged', tags: ['t'] }]);
    expect((await core.query(USER, 'tag:t')).answer.results).toMatchObject([{ excerpt: 'tagged', score: 1 }]);
  });

  test('retrieval: the score of a chunk does not depend on which of the searches found it', async () => {
    const topics = ['river', 'mountain', 'engine', 'violin', 'market', 'harvest', 'signal', 'window'];
    const pick = (at: number) => topics[at % topics.length];
    const captures = Array.from({ length: 260 }, (_, at) => ({
      pageText: `common ${'filler '.repeat(at % 7)}${pick(at)} ${pick(at * 3 + 1)} entry ${at}`,
    }));
    for (let at = 0; at < captures.length; at += 100) await core.capture(USER, captures.slice(at, at + 100));
    const eager = createCore({
      ...storage,
      clock,
      embeddingModel: model,
      // If the list were one hit short, every unknown score would be 0. With this limit it contains every match.
      hybridIndex: {
        ...storage.hybridIndex,
        search: (user, query, options) => storage.hybridIndex.search(user, query, { ...options, limit: 5_000 }),
      },
    });
    for (const query of ['common river', 'common engine violin entry', 'harvest common signal window']) {
      const [usual, whole] = await Promise.all([core.query(USER, query), eager.query(USER, query)]);
      expect(usual.answer.results.map(({ score }) => score)).toEqual(whole.answer.results.map(({ score }) => score));
    }
  });
});

describe('memories', () => {
  test('MEM-2: empties the trash after 30 days', async () => {
    const { answer } = await core.capture(USER, [{ pageText: 'short lived' }]);
    const id = answer.captures[0]?.id ?? '';
    await core.memories.remove(USER, id);
    await passDays(29);
    expect((await core.memories.restore(USER, id)).embedding.state).toBe('embedded');
    await core.memories.remove(USER, id);
    await passDays(31);
    expect(await codeOf(core.memories.restore(USER, id))).toBe('NOT_FOUND');
  });

  test('MEM-7: empties the trash in batches, so that no capture waits for long', async () => {
    const captures = Array.from({ length: 50 }, (_, at) => ({ pageText: `text ${at}` }));
    const { answer } = await core.capture(USER, captures);
    await core.bulk.change(USER, { ids: answer.captures.map(({ id }) => id), delete: true });
    const left: number[] = [];
    const emptyTrash: Storage['memories']['emptyTrash'] = async (...selection) => {
      const deleted = await storage.memories.emptyTrash(...selection);
      left.push(await storage.memories.countTrash(USER));
      return deleted;
    };
    const { trash } = createCore({ ...storage, memories: { ...storage.memories, emptyTrash }, clock });
    expect([await trash.empty(USER), left]).toEqual([{ deleted: 50 }, [30, 10, 0]]);
  });

  test('REL-12: does not empty the trash when the clock is set 40 days ahead and back', async () => {
    const { answer } = await core.capture(USER, [{ pageText: 'precious' }]);
    const id = answer.captures[0]?.id ?? '';
    await core.memories.remove(USER, id);
    clock.advance(40 * DAY);
    expect(await core.memories.purge()).toEqual({ clockJump: 40 * DAY });
    clock.advance(-40 * DAY);
    expect(await core.memories.purge()).toEqual({ clockJump: 0 });
    expect((await core.memories.restore(USER, id)).id).toBe(id);
  });

  test('MEM-1: saves a new title and a job when the embeddings cannot be stored', async () => {
    const { answer } = await core.capture(USER, [{ title: 'Old', pageText: 'body' }]);
    const id = answer.captures[0]?.id ?? '';
    const broken = createCoreWithoutEmbeddings();
    expect(await broken.memories.update(USER, id, { title: 'New' })).toMatchObject({
      title: 'New',
      embedding: { state: 'pending' },
    });
    expect((await core.indexing.state(USER)).latestJob).toMatchObject({ status: 'pending', remainingCount: 1 });
    await core.memories.remove(USER, id);
    expect(await broken.memories.restore(USER, id)).toMatchObject({ embedding: { state: 'pending' } });
    while ((await core.indexing.reindex(USER)).status === 'pending');
    expect(await core.memories.get(USER, id)).toMatchObject({ embedding: { state: 'embedded' } });
  });

  test('MEM-1: embeds a new title inline, and loses nothing when the model fails', async () => {
    const { answer } = await core.capture(USER, [{ title: 'Old', pageText: 'body' }]);
    const id = answer.captures[0]?.id ?? '';
    expect((await core.memories.update(USER, id, { title: 'New' })).embedding.state).toBe('embedded');
    expect(model.embedded.at(-1)).toBe('New\nbody');
    model.failure = fail;
    expect(await core.memories.update(USER, id, { title: 'Newer' })).toMatchObject({
      title: 'Newer',
      embedding: { state: 'pending' },
    });
    expect((await core.indexing.state(USER)).latestJob?.status).toBe('pending');
    expect(await codeOf(core.memories.update(USER, id, { title: ' ' }))).toBe('VALIDATION_FAILED');
  });
});

describe('indexing', () => {
  const captureWithout = async (count: number) => {
    const bare = createCore({ ...storage, clock });
    await bare.capture(
      USER,
      Array.from({ length: count }, (_, at) => ({ pageText: `Memory ${at}` })),
    );
  };

  test('MEM-4: a bulk change does not take a mistyped word for another one', async () => {
    const words = createCore({ ...storage, clock });
    await words.capture(USER, [{ pageText: 'The blade is sharpened.' }]);
    expect((await words.query(USER, 'blaed')).answer).toMatchObject({ corrected: { from: 'blaed', to: 'blade' } });
    await expect(words.bulk.change(USER, { query: 'blaed', delete: true })).rejects.toThrow(
      'No memory has blaed; a search would find blade. Correct it, or put it into quotation marks.',
    );
    expect(await words.bulk.change(USER, { query: 'blade', delete: true })).toMatchObject({ changed: 1 });
  });

  test('IDX-2: runs batches until nothing is left', async () => {
    await captureWithout(5);
    expect(await core.indexing.reindex(USER, { batchSize: 2 })).toMatchObject({
      processed: 2,
      remaining: 3,
      status: 'pending',
      job: { remainingCount: 3 },
    });
    expect(await core.indexing.reindex(USER, { batchSize: 2 })).toMatchObject({
      processed: 2,
      remaining: 1,
      status: 'pending',
      job: { processedCount: 4 },
    });
    expect(await core.indexing.reindex(USER, { batchSize: 2 })).toMatchObject({
      processed: 1,
      remaining: 0,
      status: 'completed',
    });
    expect(await core.indexing.reindex(USER, { batchSize: 2 })).toMatchObject({
      processed: 0,
      remaining: 0,
      status: 'completed',
    });
  });

  test('IDX-2: a failed batch reports that it will be retried', async () => {
    await captureWithout(1);
    model.failure = fail;
    expect(await core.indexing.reindex(USER)).toMatchObject({
      processed: 0,
      remaining: 1,
      status: 'failed',
      message: expect.stringContaining('retried'),
    });
    const blocked = createCore({ ...storage, clock });
    expect(await blocked.indexing.reindex(USER)).toMatchObject({ status: 'blocked', processed: 0, remaining: 1 });
  });

  test('IDX-2: a process without a model does not stall one that has a model', async () => {
    const blocked = createCore({ ...storage, clock });
    await captureWithout(1);
    expect(await blocked.indexing.reindex(USER)).toMatchObject({ status: 'blocked', job: { status: 'blocked' } });
    await blocked.capture(USER, [{ pageText: 'saved without a model' }]);
    await blocked.indexing.queueMissing();
    expect(await blocked.indexing.runDue()).toEqual({ jobs: 0, pending: 0 });
    expect(await core.indexing.runDue()).toEqual({ jobs: 1, pending: 0 });
    expect(await core.indexing.state(USER)).toMatchObject({ needsReindex: false, latestJob: { status: 'completed' } });
  });

  test('IDX-4: after a change of model, every memory lacks embeddings until the backfill is done', async () => {
    await core.capture(USER, [{ pageText: 'one memory' }]);
    const other = createCore({ ...storage, clock, embeddingModel: createFakeModel('other') });
    expect(await other.indexing.state(USER)).toMatchObject({
      withEmbeddings: 0,
      withoutEmbeddings: 1,
      needsReindex: true,
    });
    expect((await other.query(USER, 'memory')).answer.results.length).toBe(1);
    await other.indexing.queueMissing();
    expect(await other.indexing.runDue()).toEqual({ jobs: 1, pending: 0 });
    expect((await other.indexing.state(USER)).needsReindex).toBe(false);
    // The former model's vectors are removed, because they would only take up space.
    await other.indexing.removePrevious();
    expect(await core.indexing.state(USER)).toMatchObject({ withEmbeddings: 0, withoutEmbeddings: 1 });
  });

  test('IDX-4: searches use a former model until the current one has embedded more', async () => {
    const { answer } = await core.capture(USER, [
      { pageText: 'basalt and granite' },
      { pageText: 'basalt and marble' },
    ]);
    const present = createFakeModel('other');
    const other = createCore({ ...storage, clock, embeddingModel: present, previousModels: [model] });
    await other.query(USER, 'marble statues');
    expect([model.embedded.includes('marble statues'), present.embedded]).toEqual([true, []]);
    expect((await other.memories.related(USER, answer.captures[0]?.id ?? '')).related.length).toBe(1);
    while ((await other.indexing.reindex(USER)).status === 'pending');
    // A choice holds for a second.
    let asked = 0;
    await expect
      .poll(async () => {
        asked += 1;
        await other.query(USER, `slate ${asked}`);
        return present.embedded.includes(`slate ${asked}`);
      })
      .toBe(true);
    // A memory without an embedding does not bring the former model back.
    await captureWithout(3);
    await other.query(USER, 'limestone caves');
    expect(present.embedded).toContain('limestone caves');
  });

  test('IDX-5: ten concurrent calls embed nothing twice', async () => {
    await captureWithout(40);
    const answers = await Promise.all(Array.from({ length: 10 }, () => core.indexing.reindex(USER, { batchSize: 8 })));
    expect(answers.reduce((sum, { processed }) => sum + processed, 0)).toBe(40);
    expect(model.embedded.length).toBe(40);
    expect(new Set(model.embedded).size).toBe(40);
  });

  test('IDX-2: blocks a job without a model, and runs it once there is one', async () => {
    await captureWithout(1);
    const blocked = createCore({ ...storage, clock });
    expect(await blocked.indexing.runDue()).toEqual({ jobs: 0, pending: 0 });
    expect((await blocked.indexing.reindex(USER)).status).toBe('blocked');
    expect(await blocked.indexing.runDue()).toEqual({ jobs: 0, pending: 0 });
    await core.indexing.queueMissing();
    expect(await core.indexing.runDue()).toEqual({ jobs: 1, pending: 0 });
  });

  test('IDX-2: reports completed when there is nothing to do, even without a model', async () => {
    const blocked = createCore({ ...storage, clock });
    expect(await blocked.indexing.reindex(USER)).toMatchObject({ processed: 0, remaining: 0, status: 'completed' });
  });

  test('IDX-5: keeps work that is queued while a batch runs', async () => {
    await captureWithout(1);
    const embed = model.embed.bind(model);
    model.embed = async (texts, options) => {
      model.embed = embed;
      await captureWithout(2).then(() => core.indexing.queue(USER));
      return embed(texts, options);
    };
    // The memories of the second batch are added after the first batch has counted its work.
    await core.indexing.reindex(USER, { batchSize: 1 });
    while ((await core.indexing.runDue()).jobs > 0);
    expect(await core.indexing.state(USER)).toMatchObject({ withoutEmbeddings: 0, latestJob: { status: 'completed' } });
  });

  test('IDX-5: a stopped runner releases its lease, and the job does not count as failed', async () => {
    await captureWithout(3);
    const stop = new AbortController();
    model.failure = async () => {
      stop.abort();
      throw stop.signal.reason;
    };
    expect(await core.indexing.reindex(USER, { signal: stop.signal })).toMatchObject({
      status: 'pending',
      processed: 0,
    });
    model.failure = null;
    expect(await core.indexing.reindex(USER)).toMatchObject({ status: 'completed', processed: 3 });
    expect((await core.indexing.state(USER)).latestJob?.error).toBeNull();
  });

  test('MEM-1: embeds the new title if it changes while the memory is being embedded', async () => {
    const bare = createCore({ ...storage, clock });
    const { answer } = await bare.capture(USER, [{ title: 'Old', pageText: 'body' }]);
    const id = answer.captures[0]?.id ?? '';
    const embed = model.embed.bind(model);
    model.embed = async (texts, options) => {
      model.embed = embed;
      await bare.memories.update(USER, id, { title: 'New' });
      return embed(texts, options);
    };
    while ((await core.indexing.reindex(USER)).status === 'pending');
    expect(model.embedded).toEqual(['Old\nbody', 'New\nbody']);
    expect((await core.memories.get(USER, id)).embedding.state).toBe('embedded');
  });

  test('IDX-2: queueing embeds nothing by itself, and a runner picks up the job', async () => {
    await captureWithout(1);
    expect(await core.indexing.queue(USER)).toMatchObject({
      queued: true,
      job: { status: 'pending', remainingCount: 1 },
    });
    expect(model.embedded).toEqual([]);
    expect(await core.indexing.runDue()).toEqual({ jobs: 1, pending: 0 });
    expect(model.embedded.length).toBe(1);
    expect(await core.indexing.runDue()).toEqual({ jobs: 0, pending: 0 });
  });
});
