import { LOCAL_USER } from '@recollect/core';
import { createNewMemory } from '@recollect/core/testing';
import { expect, test } from 'vitest';
import { openFile } from './open-file.js';

test('QRY-3: words that are in very many rows find the newest rows that have all of them', async () => {
  const storage = await openFile({ readers: 1 });
  try {
    const insert = (texts: readonly string[]) =>
      storage.memories.insert(
        LOCAL_USER,
        texts.map((text) => createNewMemory({ chunks: [text] })),
        { now: new Date(), indexing: () => null, triggersHooks: false },
      );
    for (let at = 0; at < 42_000; at += 200)
      await insert(
        Array.from({ length: 200 }, (_, index) => `${(at + index) % 2 === 0 ? 'tea' : 'cup'} ${at + index}`),
      );
    const find = async (...words: string[]) => {
      const query = { terms: words.map((word) => [word]), prefix: null };
      const { hits } = await storage.textIndex.search(LOCAL_USER, query, { limit: 3, filter: {} });
      return hits.map(({ chunkId }) => chunkId);
    };
    expect(await find('tea')).toEqual([41_999, 41_997, 41_995]);
    expect(await find('cup')).toEqual([42_000, 41_998, 41_996]);
    // No row has both.
    expect((await find('tea', 'cup')).length).toBe(3);
    await insert(['cup of tea']);
    expect(await find('tea', 'cup')).toEqual([42_001]);
    expect(await find('tea', 'of')).toEqual([42_001]);
  } finally {
    await storage.close();
  }
});
