import { createCore, LOCAL_USER } from '@recollect/core';
import { createFakeModel } from '@recollect/core/testing';
import { openStorage } from '@recollect/storage';
import { expect, test } from 'vitest';

test('QRY-18: search is tested by titles, sentences and highlights of the store, and says what it did not find', async () => {
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
  // What cannot be found by its title: twelve others have it too.
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
