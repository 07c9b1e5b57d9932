import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Core, createCore, LOCAL_USER, type MemoryFilter, type TextQuery, type TextResult } from '@recollect/core';
import { openStorage, type Storage, type StorageOptions } from '@recollect/storage';
import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';

let folder: string;
let file: string;
let notices: string[];
const opened: Storage[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recollect-texts-'));
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
    // The index in memory comes with threads.
    readers: options.textMemoryMb === undefined ? 0 : 1,
    onNotice: (notice) => notices.push(notice),
    ...options,
  });
  opened.push(storage);
  return { storage, core: createCore({ ...storage, embeddingModel: null }) };
}

const query = (words: readonly (readonly string[])[], more: Partial<TextQuery> = {}): TextQuery => ({
  terms: words,
  prefix: null,
  ...more,
});

interface Asked {
  limit?: number;
  filter?: MemoryFilter;
  also?: readonly number[];
  user?: string;
}

const search = (
  { textIndex }: Storage,
  asked: TextQuery,
  { limit = 1_000, filter = {}, also = [], user = LOCAL_USER }: Asked = {},
) => textIndex.search(user, asked, { limit, filter, also });

const round = (score: number) => Number(score.toPrecision(10));

/** A result whose order among equal scores does not matter. */
const comparable = ({ hits, scores, ...others }: TextResult) => ({
  ...others,
  hits: hits
    .map((hit) => ({ ...hit, score: round(hit.score) }))
    .sort((a, b) => b.score - a.score || a.chunkId - b.chunkId),
  scores: new Map(Array.from(scores, ([id, score]) => [id, round(score)] as const).sort(([a], [b]) => a - b)),
});

/** Removes all texts from the index on disk, so that only memory can find them. */
function emptyStoredIndex(): void {
  const raw = new Sqlite(file);
  raw.prepare("insert into chunk_text (chunk_text) values ('delete-all')").run();
  raw.close();
}

const WORDS = ['tea', 'teapot', 'teas', 'water', 'running', 'runs', 'naïve', '東京', 'well-known', 'mp3s', 'Straße'];
const word = fc.constantFrom(...WORDS);
const text = fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => words.join(' '));
const tag = fc.constantFrom('home', 'work');
const url = fc.constantFrom('https://a.example/', 'https://b.example/x');
const user = fc.constantFrom(LOCAL_USER, LOCAL_USER, 'ann');
const change = fc.oneof(
  fc.record({ kind: fc.constant('capture' as const), text, title: text, tag, url }),
  fc.record({ kind: fc.constant('title' as const), at: fc.nat(9), text }),
  fc.record({ kind: fc.constant('text' as const), at: fc.nat(9), text }),
  fc.record({ kind: fc.constant('tags' as const), at: fc.nat(9), tag }),
  fc.record({ kind: fc.constant('star' as const), at: fc.nat(9) }),
  fc.record({ kind: fc.constant('trash' as const), at: fc.nat(9) }),
  fc.record({ kind: fc.constant('untrash' as const), at: fc.nat(9) }),
);
const filter: fc.Arbitrary<MemoryFilter> = fc.oneof(
  { weight: 2, arbitrary: fc.constant({}) },
  fc.record({ tag }),
  fc.record({ starred: fc.boolean() }),
  fc.record({ site: fc.constantFrom('a.example', 'b.example') }),
  fc.record({ since: fc.constantFrom('2020-01-01T00:00:00.000Z', '2100-01-01T00:00:00.000Z') }),
);
const term = fc.constantFrom(['tea'], ['run'], ['running'], ['water'], ['naive'], ['東'], ['mp3'], ['none']);
const asked = fc.record(
  {
    terms: fc.uniqueArray(term, { minLength: 1, maxLength: 4 }),
    prefix: fc.constantFrom(null, 'tea', 'te', 'wat', 'runn', 'nai'),
    phrases: fc.constantFrom([], [['tea', 'water']], [['water']]),
    excluded: fc.constantFrom([], [['teapot']]),
  },
  { noNullPrototype: true },
);

test('QRY-23: finds the same as FTS5, after every change of this process or another', async () => {
  const here = await open({ textMemoryMb: 64 });
  const there = await open();
  // Both users have a memory: a search looks only once a second whether there is one user.
  for (const owner of [LOCAL_USER, 'ann']) await here.core.capture(owner, [{ pageText: 'the first one' }]);
  await here.storage.textIndex.warmUp?.();
  const owned = new Map<string, string[]>();
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(change, fc.boolean(), user), { minLength: 1, maxLength: 6 }),
      asked,
      filter,
      user,
      async (changes, terms, filter, searcher) => {
        for (const [step, isHere, owner] of changes) {
          const { core } = isHere ? here : there;
          const ids = owned.get(owner) ?? [];
          owned.set(owner, ids);
          const id = 'at' in step ? (ids[step.at % Math.max(1, ids.length)] ?? '') : '';
          const ignored = () => {};
          if (step.kind === 'capture') {
            const captured = { title: step.title, pageText: step.text, url: step.url, tags: [step.tag] };
            const { answer } = await core.capture(owner, [captured]);
            const known = answer.captures[0]?.id;
            if (known !== undefined && !ids.includes(known)) ids.push(known);
          } else if (step.kind === 'title') await core.memories.update(owner, id, { title: step.text }).catch(ignored);
          else if (step.kind === 'text') await core.memories.update(owner, id, { text: step.text }).catch(ignored);
          else if (step.kind === 'tags') await core.memories.update(owner, id, { tags: [step.tag] }).catch(ignored);
          else if (step.kind === 'star') await core.memories.update(owner, id, { starred: true }).catch(ignored);
          else if (step.kind === 'trash') await core.memories.remove(owner, id).catch(ignored);
          else await core.memories.restore(owner, id).catch(ignored);
        }
        // Another connection, since FTS5's counts of words are kept.
        const fresh = await open();
        const expected = await search(fresh.storage, terms, { filter, user: searcher });
        expect(comparable(await search(here.storage, terms, { filter, user: searcher }))).toEqual(comparable(expected));
        const also = [...expected.hits.slice(0, 2).map(({ chunkId }) => chunkId), 1, 999_999];
        const more = { filter, also, user: searcher };
        expect(comparable(await search(here.storage, terms, more))).toEqual(
          comparable(await search(fresh.storage, terms, more)),
        );
        const frequencies = ({ textIndex }: Storage) => textIndex.frequencies(searcher, terms.terms);
        expect(await frequencies(here.storage)).toEqual(await frequencies(fresh.storage));
        await opened.pop()?.close();
      },
    ),
    { numRuns: process.env.LONG === '1' ? 200 : 40 },
  );
  expect(notices).toEqual([]);
});

test('QRY-23: words, beginnings, exclusions and common words are searched in memory', async () => {
  const { core, storage } = await open({ textMemoryMb: 64 });
  const captures = Array.from({ length: 300 }, (_, at) => ({ title: `Cup ${at}`, pageText: `tea ${at} teapots` }));
  await core.capture(LOCAL_USER, captures);
  await storage.textIndex.warmUp?.();
  const queries = [
    query([['tea']]),
    query([['teapo']], { prefix: 'teapo' }),
    query([['cup'], ['7']]),
    query([['tea']], { also: [] } as Partial<TextQuery>),
  ];
  const expected = await Promise.all(queries.map((one) => search(storage, one)));
  emptyStoredIndex();
  expect(await Promise.all(queries.map((one) => search(storage, one)))).toEqual(expected);
  expect(expected.map(({ hits }) => hits.length)).toEqual([300, 300, 300, 300]);
});

test('QRY-23: FTS5 finds terms of several words', async () => {
  const { core, storage } = await open({ textMemoryMb: 64 });
  const there = await open();
  await core.capture(LOCAL_USER, [{ pageText: 'a well-known tea' }, { pageText: 'it is known well' }]);
  await storage.textIndex.warmUp?.();
  const terms = query([['well', 'known'], ['tea']]);
  const found = await search(storage, terms);
  expect(found).toEqual(await search(there.storage, terms));
  expect(found.hits).toHaveLength(1);
});

test('QRY-23: FTS5 answers until the index is in memory, and when its memory is too small', {
  tags: 'long',
}, async () => {
  const { core, storage } = await open({ textMemoryMb: 46 });
  const words = (at: number) => Array.from({ length: 150 }, (_, word) => `w${at}x${word}`).join(' ');
  for (let round = 0; round < 40; round++)
    await core.capture(
      LOCAL_USER,
      Array.from({ length: 50 }, (_, at) => ({ title: 'tea', pageText: words(round * 50 + at) })),
    );
  expect((await search(storage, query([['tea']]))).hits).toHaveLength(1_000);
  await storage.textIndex.warmUp?.();
  expect((await search(storage, query([['tea']]))).hits).toHaveLength(1_000);
  expect(notices).toEqual([expect.stringMatching(/^RECOLLECT_TEXT_MEMORY is too small/)]);
});
