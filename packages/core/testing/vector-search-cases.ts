import type { MemoryFilter } from '#core/memory.js';
import { equal, ok } from './assert.js';
import type { Check } from './harness.js';
import { RANKING, rankSeparately } from './rank-separately.js';
import { createNewMemory, unitVector } from './samples.js';

const everything = { limit: 50, filter: {} };

/** Registers the cases for vector search. */
export function checkVectorSearch(check: Check): void {
  check('retrieval: returns the nearest vectors first, with their cosines', async (storage) => {
    const saved = await storage.insert('ann', createNewMemory({}), createNewMemory({}), createNewMemory({}));
    const ids = saved.map(({ added }) => added[0]?.chunkId ?? 0);
    const vectors = [unitVector(16, 0), unitVector(16, 0, 1), unitVector(16, 5)];
    for (const [at, memory] of saved.entries()) await storage.embed('ann', 'm', memory, vectors[at]);
    const { hits } = await storage.vectorIndex.search('ann', 'm', unitVector(16, 0), everything);
    equal(
      hits.map(({ chunkId }) => chunkId),
      ids,
      'order',
    );
    const expected = [1, Math.SQRT1_2, 0];
    for (const [at, hit] of hits.entries()) ok(Math.abs(hit.similarity - (expected[at] ?? 0)) < 0.02, `cosine ${at}`);
    const nearest = { limit: 1, filter: {}, also: [...ids, 999_999] };
    const { similarities: again } = await storage.vectorIndex.search('ann', 'm', unitVector(16, 0), nearest);
    equal([...again].sort(), hits.map(({ chunkId, similarity }) => [chunkId, similarity]).sort(), 'similarities');
    equal(
      (await storage.vectorIndex.search('ann', 'other', unitVector(16, 0), everything)).hits.length,
      0,
      'another model',
    );
    equal(
      (await storage.vectorIndex.search('ann', 'm', unitVector(8, 0), everything)).hits.length,
      0,
      'another dimension',
    );
  });

  check(
    'QRY-3: both indexes at once find the hits of each, with the score of each hit in the other',
    async (storage) => {
      const texts = ['apple pie', 'apple', 'pear pie', 'plum', 'apple plum', 'quince'];
      const saved = await storage.insert(
        'ann',
        ...texts.map((text) => createNewMemory({ chunks: [text], tags: [text] })),
      );
      await storage.insert('bob', createNewMemory({ chunks: ['apple'] }));
      for (const [at, memory] of saved.slice(0, 5).entries())
        await storage.embed('ann', 'm', memory, unitVector(16, at % 3));
      const ids = saved.map(({ added }) => added[0]?.chunkId ?? 0);
      const terms = { terms: [['apple'], ['pie']], prefix: null };
      const vector = unitVector(16, 0, 1);
      const filters: MemoryFilter[] = [{}, { tag: 'apple' }, { tag: 'plum' }];
      for (const limit of [2, 50])
        for (const filter of filters) {
          const options = { limit, filter };
          const query = { terms, embedded: { modelId: 'm', vector, ...RANKING } };
          const { spent, isPartial, titled, memories, ...found } = await storage.hybridIndex.search(
            'ann',
            query,
            options,
          );
          equal(found, await rankSeparately(storage, 'ann', query, options), `${limit} of ${JSON.stringify(filter)}`);
          ok(isPartial !== true && (spent ?? 0) >= 0, 'all of it');
          equal([titled, memories.size], [[], 0], 'memories that were not asked for');
          const all = { ...options, also: ids };
          const { scores, hits } = await storage.textIndex.search('ann', terms, all);
          const scoreOf = new Map([...scores, ...hits.map(({ chunkId, score }) => [chunkId, score] as const)]);
          const near = await storage.vectorIndex.search('ann', 'm', vector, all);
          for (const { chunkId, text, similarity } of found.hits) {
            equal(text, scoreOf.get(chunkId) ?? 0, 'score of a text');
            equal(similarity, near.similarities.get(chunkId) ?? null, 'similarity');
          }
        }
      const alone = await storage.hybridIndex.search('ann', { terms, embedded: null }, everything);
      equal([alone.hits.length, alone.isHybrid], [4, false], 'without a vector');
      const unknown = { modelId: 'other', vector, ...RANKING };
      const found = await storage.hybridIndex.search('ann', { terms, embedded: unknown }, everything);
      equal([found.hits.length, found.isHybrid], [4, true], 'another model');
    },
  );

  check('QRY-11: a search reads its first memories, and those with a title that meet its filter', async (storage) => {
    const tagged = ['a', 'b', 'a', 'a'];
    const drafts = tagged.map((tag, at) =>
      createNewMemory({
        title: at < 3 ? 'Cafe' : 'Pot',
        tags: [tag],
        chunks: [`tea ${'of leaves '.repeat(at)}`, 'pot'],
      }),
    );
    const saved = await storage.insert('ann', ...drafts);
    await storage.insert('bob', createNewMemory({ title: 'Cafe', chunks: ['tea'] }));
    const ids = saved.map(({ id }) => id);
    const find = async (title: string | undefined, filter: MemoryFilter) => {
      const query = { terms: { terms: [['pot']], prefix: null }, embedded: null, title };
      const found = await storage.hybridIndex.search('ann', query, { limit: 10, read: 1, filter });
      const chunkOf = new Map(found.hits.map(({ memoryId, chunkId }) => [memoryId, chunkId]));
      const first = found.hits.slice(0, 1).map(({ memoryId, chunkId }) => ({ memoryId, chunkId }));
      const named = found.titled.map((one) => ({ ...one, chunkId: chunkOf.get(one.memoryId) ?? one.chunkId }));
      const expected = await storage.memories.readHits('ann', [...first, ...named]);
      equal([...found.memories].sort(), [...expected].sort(), 'memories');
      for (const { memoryId, chunkId } of found.titled)
        equal(chunkId, saved[ids.indexOf(memoryId)]?.added[0]?.chunkId, 'its first chunk');
      return found.titled.map(({ memoryId }) => ids.indexOf(memoryId)).sort();
    };
    equal(await find('CAFE', {}), [0, 1, 2], 'in any case');
    equal(await find('Cafe', { tag: 'a' }), [0, 2], 'with a tag');
    equal([await find('Caf', {}), await find(undefined, {})], [[], []], 'none');
  });

  check('retrieval: rejects vectors with a wrong dimension or non-finite numbers', async (storage) => {
    const [saved] = await storage.insert('ann', createNewMemory({}));
    await storage.embed('ann', 'm', saved, unitVector(8, 0));
    for (const vector of [unitVector(4, 0), new Float32Array(8).fill(Number.NaN)]) {
      const outcome = await storage.embed('ann', 'm', saved, vector).catch(() => 'refused');
      equal(outcome, 'refused', `${vector.length} dimensions`);
    }
  });

  check('retrieval: computes the centre of a memory from its chunks, and counts words', async (storage) => {
    const [memory, other] = await storage.insert(
      'ann',
      createNewMemory({ chunks: ['tea and water ', 'tea leaves'] }),
      createNewMemory({ chunks: ['bees'] }),
    );
    await storage.embed('ann', 'm', memory, unitVector(8, 0));
    const [first = 0, second = 0] = memory?.added.map(({ chunkId }) => chunkId) ?? [];
    const put = (chunkId: number, axis: number) =>
      storage.memories.saveEmbeddings('ann', 'm', [
        { chunkId, title: memory?.title ?? '', vector: unitVector(8, axis) },
      ]);
    await put(first, 1);
    await put(second, 2);
    const centre = await storage.vectorIndex.centre('ann', 'm', memory?.id ?? '');
    equal(
      [...(centre ?? [])].map((component) => component.toFixed(2)).slice(0, 4),
      ['0.00', '0.71', '0.71', '0.00'],
      'centre',
    );
    equal(await storage.vectorIndex.centre('ann', 'm', other?.id ?? ''), null, 'without embeddings');
    equal(await storage.vectorIndex.centre('ann', 'n', memory?.id ?? ''), null, 'of another model');
    equal(await storage.vectorIndex.centre('bob', 'm', memory?.id ?? ''), null, 'of another user');
    const { counts, total } = await storage.textIndex.frequencies('ann', [
      ['tea'],
      ['bees'],
      ['nothing'],
      ['tea', 'leaves'],
    ]);
    equal([counts, total], [[2, 1, 0, 1], 3], 'frequencies');
  });
}
