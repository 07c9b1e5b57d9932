import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Core, createCore, LOCAL_USER, type MemoryFilter } from '@recollect/core';
import { createFakeModel, type FakeModel, RANKING, rankSeparately } from '@recollect/core/testing';
import { openStorage, type Storage, type StorageOptions } from '@recollect/storage';
import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';

/** Sums vectors of words with components of both signs, as real models do: the fake model's have none below 0. */
const MODEL: FakeModel = {
  ...createFakeModel('signed'),
  embed: async (texts) =>
    texts.map((text) => {
      const vector = new Float32Array(64);
      for (const word of text.match(/\p{L}+|\d+/gu) ?? []) {
        let state = 0x811c9dc5;
        for (const unit of word) state = Math.imul(state ^ (unit.codePointAt(0) ?? 0), 0x01000193);
        for (const at of vector.keys()) {
          state = Math.imul(state, 1_664_525) + 1_013_904_223;
          vector[at] = (vector[at] ?? 0) + state / 2 ** 31;
        }
      }
      const length = Math.hypot(...vector) || 1;
      return vector.map((component) => component / length);
    }),
};
let folder: string;
let file: string;
let notices: string[];
const opened: Storage[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recollect-vectors-'));
  file = join(folder, 'recollect.db');
  notices = [];
});
afterEach(async () => {
  for (const storage of opened.splice(0)) await storage.close();
  await rm(folder, { recursive: true });
});

/** A process's view of the store, as far as a test in one process can have several. */
async function open(options: Partial<StorageOptions> = {}): Promise<{ storage: Storage; core: Core }> {
  const storage = await openStorage({
    url: `sqlite:${file}`,
    // Vectors in memory come with threads.
    readers: options.vectorMemoryMb === undefined ? 0 : 1,
    onNotice: (notice) => notices.push(notice),
    ...options,
  });
  opened.push(storage);
  return { storage, core: createCore({ ...storage, embeddingModel: MODEL }) };
}

const vectorOf = async (text: string) => (await MODEL.embed([text], { purpose: 'query' }))[0] ?? new Float32Array(64);

async function search({ vectorIndex }: Storage, text: string, filter: MemoryFilter = {}, limit = 10) {
  const { hits } = await vectorIndex.search(LOCAL_USER, MODEL.id, await vectorOf(text), { limit, filter });
  return hits;
}

/** The similarities of given chunks. */
async function compare({ vectorIndex }: Storage, text: string, also: readonly number[]) {
  const options = { limit: 1, filter: {}, also };
  return (await vectorIndex.search(LOCAL_USER, MODEL.id, await vectorOf(text), options)).similarities;
}

test('a caller that leaves the queue does not end the search in memory for the others', async () => {
  const { storage, core } = await open({ vectorMemoryMb: 64 });
  await core.capture(LOCAL_USER, [{ pageText: 'green tea' }, { pageText: 'black tea' }]);
  await storage.vectorIndex.warmUp?.(MODEL.id);
  const terms = { terms: [['tea']], phrases: [], excluded: [], prefix: null };
  const embedded = { modelId: MODEL.id, vector: await vectorOf('tea'), ...RANKING };
  const ask = (signal?: AbortSignal) =>
    storage.hybridIndex.search(LOCAL_USER, { terms, embedded }, { limit: 10, filter: {}, signal });
  const leaving = new AbortController();
  const first = ask();
  // One thread reads, so this one waits.
  const second = ask(leaving.signal);
  setImmediate(() => leaving.abort());
  await Promise.allSettled([first, second]);
  expect((await ask()).hits).toMatchObject([{ similarity: expect.any(Number) }, { similarity: expect.any(Number) }]);
  expect(notices).toEqual([]);
});

const word = fc.constantFrom('tea', 'water', 'leaf', 'time', 'steam', 'cup', 'green', 'black');
const text = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(' '));
const tag = fc.constantFrom('Home', 'home', 'work', 'é');
const url = fc.constantFrom('https://a.example/', 'https://b.a.example:8443/x', 'https://example.org/');
const change = fc.oneof(
  fc.record({
    kind: fc.constant('capture' as const),
    text,
    tag,
    url,
    by: fc.constantFrom('web' as const, 'mcp' as const),
  }),
  fc.record({ kind: fc.constant('title' as const), at: fc.nat(9), text }),
  fc.record({ kind: fc.constant('text' as const), at: fc.nat(9), text }),
  fc.record({ kind: fc.constant('tags' as const), at: fc.nat(9), tags: fc.uniqueArray(tag, { maxLength: 2 }) }),
  fc.record({ kind: fc.constant('trash' as const), at: fc.nat(9) }),
  fc.record({ kind: fc.constant('untrash' as const), at: fc.nat(9) }),
);
const oneOrMore = <T>(value: fc.Arbitrary<T>) => fc.oneof(value, fc.uniqueArray(value, { minLength: 1, maxLength: 3 }));
const filter: fc.Arbitrary<MemoryFilter> = fc.record(
  {
    tag: oneOrMore(fc.constantFrom('HOME', 'work', 'É', 'none')),
    site: oneOrMore(fc.constantFrom('a.example', 'b.a.example', 'example', 'example.org')),
    since: fc.constantFrom('2020-01-01T00:00:00.000Z', '2100-01-01T00:00:00.000Z'),
    until: fc.constantFrom('2020-01-01T00:00:00.000Z', '2100-01-01T00:00:00.000Z'),
    sourceType: oneOrMore(fc.constantFrom('url' as const, 'note' as const)),
    by: oneOrMore(fc.constantFrom('web', 'mcp', 'mcp:')),
  },
  { requiredKeys: [] },
);

test('QRY-7, QRY-8: finds the same as SQL, after every change of this process or another', async () => {
  const here = await open({ vectorMemoryMb: 64, textMemoryMb: 64 });
  const there = await open();
  await here.core.capture(LOCAL_USER, [{ pageText: 'the first one, so that there is a model' }]);
  await here.storage.vectorIndex.warmUp?.(MODEL.id);
  await here.storage.textIndex.warmUp?.();
  const ids: string[] = [];
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(change, fc.boolean()), { minLength: 1, maxLength: 5 }),
      text,
      filter,
      async (changes, query, filter) => {
        for (const [step, isHere] of changes) {
          const { core } = isHere ? here : there;
          const id = 'at' in step ? (ids[step.at % Math.max(1, ids.length)] ?? '') : '';
          const ignored = () => {};
          if (step.kind === 'capture') {
            const captured = { pageText: step.text, url: step.url, tags: [step.tag] };
            const by = { client: step.by, name: null, key: null };
            const { answer } = await core.capture(LOCAL_USER, [captured], { actor: by });
            const known = answer.captures[0]?.id;
            if (known !== undefined && !ids.includes(known)) ids.push(known);
          } else if (step.kind === 'title')
            await core.memories.update(LOCAL_USER, id, { title: step.text }).catch(ignored);
          else if (step.kind === 'text') await core.memories.update(LOCAL_USER, id, { text: step.text }).catch(ignored);
          else if (step.kind === 'tags') await core.memories.update(LOCAL_USER, id, { tags: step.tags }).catch(ignored);
          else if (step.kind === 'trash') await core.memories.remove(LOCAL_USER, id).catch(ignored);
          else await core.memories.restore(LOCAL_USER, id).catch(ignored);
        }
        // A change of title or text leaves the embedding to a job.
        while ((await there.core.indexing.runDue({ batchSize: 64 })).pending > 0);
        // All of them: of equal ones at the end of a shorter list, either may be found.
        const expected = await search(there.storage, query, filter, 1_000);
        expect(await search(here.storage, query, filter, 1_000)).toEqual(expected);
        const chunks = [...expected.map(({ chunkId }) => chunkId), 999_999];
        expect(await compare(here.storage, query, chunks)).toEqual(await compare(there.storage, query, chunks));
        // One message finds and ranks the same as one index after the other.
        const terms = { terms: query.split(' ').map((word) => [word]), prefix: null };
        const asked = { terms, embedded: { modelId: MODEL.id, vector: await vectorOf(query), ...RANKING } };
        const options = { limit: 7, filter };
        const found = await here.storage.hybridIndex.search(LOCAL_USER, asked, options);
        const { spent, isPartial, titled, memories, ...ranked } = found;
        expect(ranked).toEqual(await rankSeparately(here.storage, LOCAL_USER, asked, options));
      },
    ),
    { numRuns: process.env.LONG === '1' ? 60 : 25 },
  );
  expect(notices).toEqual([]);
});

test('QRY-8: vectors that take their filter values from the texts in memory are filtered as in SQL', async () => {
  const there = await open();
  const capture = (at: number) => ({ pageText: `cup ${at} of tea`, tags: [at % 2 === 0 ? 'even' : 'odd'] });
  await there.core.capture(
    LOCAL_USER,
    Array.from({ length: 20 }, (_, at) => capture(at)),
  );
  while ((await there.core.indexing.runDue({ batchSize: 64 })).pending > 0);
  for (const changed of [0, 1, 30]) {
    const here = await open({ vectorMemoryMb: 64, textMemoryMb: 64 });
    await here.storage.textIndex.warmUp?.();
    // The texts in memory are then behind, by a few changes or by many.
    const { memories } = await there.core.memories.list(LOCAL_USER, { limit: 1 });
    const id = memories[0]?.id ?? '';
    for (let at = 0; at < changed; at++)
      await there.core.memories.update(LOCAL_USER, id, { tags: [`new ${changed}`, `${at}`] });
    await here.storage.vectorIndex.warmUp?.(MODEL.id);
    for (const tag of ['even', 'odd', `new ${changed}`, `${changed - 1}`])
      expect([changed, tag, await search(here.storage, 'tea', { tag })]).toEqual([
        changed,
        tag,
        await search(there.storage, 'tea', { tag }),
      ]);
  }
  expect(notices).toEqual([]);
});

test('SEC-22: a user finds all that is theirs, and nothing else, as soon as another one comes', async () => {
  const { storage, core } = await open({ vectorMemoryMb: 64, textMemoryMb: 64 });
  await core.capture(LOCAL_USER, [{ pageText: 'green tea' }, { pageText: 'a cup of water' }]);
  await storage.vectorIndex.warmUp?.(MODEL.id);
  await storage.textIndex.warmUp?.();
  const own = await search(storage, 'tea', {}, 5);
  expect(own).toHaveLength(2);
  await core.capture(
    'bob',
    Array.from({ length: 40 }, (_, at) => ({ pageText: `tea ${at}` })),
  );
  while ((await core.indexing.runDue({ batchSize: 64 })).pending > 0);
  expect(await search(storage, 'tea', {}, 5)).toEqual(own);
});

test('REL-6: a row with other dimensions is left out, and a notice says so', async () => {
  const { core, storage } = await open();
  await core.capture(LOCAL_USER, [{ pageText: 'green tea' }, { pageText: 'black tea' }]);
  const expected = (await search(storage, 'tea')).slice(1);
  const raw = new Sqlite(file);
  raw.prepare("update embeddings set vector = x'0102' where chunk_id <> ?").run(expected[0]?.chunkId);
  raw.close();
  expect(await search(storage, 'tea')).toEqual(expected);
  const again = await open({ vectorMemoryMb: 64 });
  await again.storage.vectorIndex.warmUp?.(MODEL.id);
  expect(await search(again.storage, 'tea')).toEqual(expected);
  expect(notices).toEqual([expect.stringMatching(/^1 vectors have other dimensions/)]);
});

/** Room for the signs of 6,000 vectors, but not for their rows. */
const SIGNS_ONLY = 1.7;

test('a budget that the vectors exceed keeps their signs only, and a smaller one leaves them to SQL', {
  tags: 'long',
}, async () => {
  const first = await open();
  for (let round = 0; round < 60; round++)
    await first.core.capture(
      LOCAL_USER,
      Array.from({ length: 100 }, (_, at) => ({ pageText: `cup ${at} of green tea, round ${round}` })),
    );
  while ((await first.core.indexing.runDue({ batchSize: 256 })).pending > 0);
  const query = 'cup 7 of green tea, round 3';
  const expected = await search(first.storage, query);
  for (const [vectorMemoryMb, notice] of [
    [64, []],
    [SIGNS_ONLY, []],
    [1.2, [expect.stringMatching(/^RECOLLECT_VECTOR_MEMORY is too small/)]],
    [0.5, [expect.stringMatching(/^Vectors are searched on disk/)]],
  ] as const) {
    const { storage, core } = await open({ vectorMemoryMb });
    await storage.vectorIndex.warmUp?.(MODEL.id);
    const found = await search(storage, query);
    // By signs, the best are certain to be found only where they differ from the query in fewer signs than others.
    const compared = vectorMemoryMb === SIGNS_ONLY ? 1 : expected.length;
    expect([vectorMemoryMb, found.slice(0, compared)]).toEqual([vectorMemoryMb, expected.slice(0, compared)]);
    expect(found.length).toBe(10);
    const similarities = await compare(
      storage,
      query,
      expected.map(({ chunkId }) => chunkId),
    );
    expect(similarities).toEqual(new Map(expected.map(({ chunkId, similarity }) => [chunkId, similarity])));
    await core.capture(LOCAL_USER, [{ pageText: `a new one for ${vectorMemoryMb}` }]);
    expect((await search(storage, `a new one for ${vectorMemoryMb}`, {}, 1))[0]?.similarity).toBeGreaterThan(0.95);
    expect([vectorMemoryMb, notices]).toEqual([vectorMemoryMb, notice]);
    notices = [];
  }
});

test('changes that another process trimmed from the log are loaded again', async () => {
  const here = await open({ vectorMemoryMb: 64 });
  await here.core.capture(LOCAL_USER, [{ pageText: 'green tea' }]);
  await here.storage.vectorIndex.warmUp?.(MODEL.id);
  const there = await open();
  await there.core.capture(LOCAL_USER, [{ pageText: 'black tea' }]);
  await there.core.capture(LOCAL_USER, [{ pageText: 'no tea at all' }]);
  const raw = new Sqlite(file);
  raw.prepare('delete from index_changes where sequence < (select max(sequence) from index_changes)').run();
  raw.close();
  const expected = await search(there.storage, 'tea');
  expect(expected.length).toBe(3);
  expect(await search(here.storage, 'tea')).toEqual(expected);
  await here.storage.vectorIndex.warmUp?.(MODEL.id);
  expect(await search(here.storage, 'tea')).toEqual(expected);
  expect(notices).toEqual([]);
});

test('QRY-12: excluded words hide nothing behind them, as in a search on the disk', async () => {
  const { storage, core } = await open({ vectorMemoryMb: 64 });
  const honey = Array.from({ length: 100 }, (_, at) => ({ pageText: `An insect makes honey ${at}` }));
  await core.capture(LOCAL_USER, honey);
  await core.capture(
    LOCAL_USER,
    honey.map(({ pageText }) => ({ pageText: `${pageText} again` })),
  );
  await core.capture(LOCAL_USER, [{ pageText: 'A wasp, this summer, under the roof, and nothing else of interest' }]);
  while ((await core.indexing.reindex(LOCAL_USER, { batchSize: 256 })).status === 'pending');
  await storage.vectorIndex.warmUp?.(MODEL.id);
  const { answer } = await core.query(LOCAL_USER, 'insect makes -honey');
  expect(answer.results.map(({ title }) => title)).toEqual([expect.stringContaining('wasp')]);
});
