import { createCore, LOCAL_USER, tryModel } from '@recollect/core';
import { createFakeModel } from '@recollect/core/testing';
import { openStorage } from '@recollect/storage';
import { expect, test } from 'vitest';

test('QRY-18: search is tested by titles, sentences and highlights of the store, and reports questions without a hit', async () => {
  const storage = await openStorage({ url: 'sqlite::memory:', readers: 0 });
  const core = createCore({ ...storage, embeddingModel: createFakeModel() });
  expect(await core.searchTest(LOCAL_USER)).toEqual({ model: 'fake', queries: 0, first: 0, inTen: 0, kinds: [] });
  const topics = ['granite quarries', 'sourdough starters', 'solar inverters', 'waggle dances', 'lamp oil'];
  const { answer } = await core.capture(
    LOCAL_USER,
    topics.map((topic) => ({
      title: `About ${topic}`,
      pageText: `Some people like them.\n\nEverybody who knows ${topic} recommends patience, reading and exercise before ${topic} again.`,
    })),
  );
  const [granite] = answer.captures;
  await core.highlights.create(LOCAL_USER, granite?.id ?? '', {
    quote: 'knows granite quarries recommends "patience"',
  });
  // A memory that cannot be found by its title, because twelve others have the same title.
  await core.capture(
    LOCAL_USER,
    Array.from({ length: 12 }, (_, at) => ({ title: 'Untitled', pageText: `untitled entry ${at}` })),
  );
  const result = await core.searchTest(LOCAL_USER);
  expect(result.kinds.map(({ kind, queries }) => [kind, queries])).toEqual([
    ['titles', 17],
    ['sentences', 5],
    ['highlights', 1],
  ]);
  const [titles, sentences, highlights] = result.kinds;
  expect(sentences).toMatchObject({ queries: 5, inTen: 5, missed: [] });
  expect(highlights).toMatchObject({ first: 1 });
  expect(titles).toMatchObject({ first: 6, inTen: 15 });
  expect(titles?.missed).toMatchObject([{ query: 'Untitled', title: 'Untitled' }, { query: 'Untitled' }]);
  expect(result.queries).toBe(23);
  await storage.close();
});

test('QRY-18: another model is tried on copies of memories that are spread over the store, which stays as it was', async () => {
  const storage = await openStorage({ url: 'sqlite::memory:', readers: 0 });
  const core = createCore({ ...storage, embeddingModel: createFakeModel() });
  const { answer } = await core.capture(
    LOCAL_USER,
    Array.from({ length: 30 }, (_, at) => ({
      title: `Entry number ${at}`,
      pageText: `The text of entry ${at} mentions thing${at} and other${at} twice, as texts sometimes do.`,
    })),
  );
  await core.memories.remove(LOCAL_USER, answer.captures[3]?.id ?? '');
  const trialStorage = await openStorage({ url: 'sqlite::memory:', readers: 0 });
  const other = createFakeModel('other');
  const trial = createCore({ ...trialStorage, embeddingModel: other });
  const progress: number[] = [];
  const tried = await tryModel(core, LOCAL_USER, trial, {
    most: 10,
    onProgress: (embedded) => progress.push(embedded),
  });
  expect(tried).toMatchObject({ memories: 10, embedded: 10, result: { model: 'other', queries: 20 } });
  expect(progress.at(-1)).toBe(10);
  const { memories } = await trial.memories.list(LOCAL_USER, { limit: 100 });
  const numbers = memories.map(({ title }) => Number(title.split(' ').at(-1))).sort((a, b) => a - b);
  expect(numbers.every((number, at) => at === 0 || number - (numbers[at - 1] ?? 0) <= 5)).toBe(true);
  expect(numbers).not.toContain(3);
  expect(await core.indexing.state(LOCAL_USER)).toMatchObject({ total: 29, withEmbeddings: 29 });
  await trialStorage.close();
  await storage.close();
});

test('QRY-18: a model that fails ends its trial with the reason', async () => {
  const [storage, trialStorage] = [
    await openStorage({ url: 'sqlite::memory:', readers: 0 }),
    await openStorage({ url: 'sqlite::memory:', readers: 0 }),
  ];
  const core = createCore({ ...storage, embeddingModel: createFakeModel() });
  await core.capture(LOCAL_USER, [{ pageText: 'A text of some words.' }]);
  const other = createFakeModel('other');
  other.failure = () => Promise.reject(new Error('down'));
  const trial = createCore({ ...trialStorage, embeddingModel: other });
  await expect(tryModel(core, LOCAL_USER, trial, { most: 10 })).rejects.toMatchObject({ code: 'EMBEDDING_FAILED' });
  await trialStorage.close();
  await storage.close();
});

test('QRY-18: a trial that is stopped ends between two groups of passages', async () => {
  const [storage, trialStorage] = [
    await openStorage({ url: 'sqlite::memory:', readers: 0 }),
    await openStorage({ url: 'sqlite::memory:', readers: 0 }),
  ];
  const core = createCore({ ...storage, embeddingModel: createFakeModel() });
  await core.capture(
    LOCAL_USER,
    Array.from({ length: 100 }, (_, at) => ({ pageText: `A text of some words, and number ${at}.` })),
  );
  const other = createFakeModel('other');
  const trial = createCore({ ...trialStorage, embeddingModel: other });
  const stop = new AbortController();
  const options = { most: 100, signal: stop.signal, onProgress: () => stop.abort(new Error('stopped')) };
  await expect(tryModel(core, LOCAL_USER, trial, options)).rejects.toThrow('stopped');
  expect(other.embedded.length).toBeLessThan(100);
  await trialStorage.close();
  await storage.close();
});
