import { equal } from './assert.js';
import type { Check, Harness } from './harness.js';
import { CHANGE, createNewMemory, unitVector } from './samples.js';

/** Registers the cases for the change sequence. */
export function checkChanges(check: Check): void {
  check('QRY-7: numbers each change of a memory that affects a search', async (storage) => {
    const { changes, memories } = storage;
    equal([await changes.latest('ann'), await changes.since('ann', 0)], [0, []], 'an empty store');
    const changed = await createObserver(storage);

    const draft = createNewMemory({ title: 'Tea', contentHash: 'tea' });
    const [saved] = await storage.insert('ann', draft);
    const id = draft.memory.id;
    equal(await changed(), [id], 'a new memory');
    await storage.embed('ann', 'm', saved, unitVector(8, 1));
    equal(await changed(), [id], 'embeddings');
    await memories.update('ann', id, { tags: ['x'] }, CHANGE);
    equal(await changed(), [id], 'tags');
    await memories.update('ann', id, { title: 'Green tea' }, CHANGE);
    equal(await changed(), [id], 'a title');
    await memories.update('ann', id, { metadata: { a: 1 } }, CHANGE);
    equal(await changed(), [], 'metadata, which is not indexed');
    await storage.insert('ann', createNewMemory({ contentHash: 'tea', note: 'again' }));
    equal(await changed(), [id], 'a note from a second capture');
    await storage.insert('ann', createNewMemory({ contentHash: 'tea' }));
    equal(await changed(), [], 'a second capture with nothing new');
    await memories.trash('ann', id, CHANGE.now);
    equal(await changed(), [id], 'a deletion');
    await memories.restore('ann', id, CHANGE);
    equal(await changed(), [id], 'a restored memory');
  });

  check('QRY-7: records nothing for a failed transaction, and shows users only their own changes', async (storage) => {
    const changed = await createObserver(storage);
    const draft = createNewMemory({});
    const fails = () => {
      throw new Error('no');
    };
    const plan = { now: new Date(), indexing: fails, triggersHooks: false };
    await storage.memories.insert('ann', [draft], plan).catch(() => {});
    equal(await changed(), [], 'after a rollback');
    const before = [await storage.changes.latest('bob'), await storage.changes.latest(null)];
    await storage.insert('bob', createNewMemory({}));
    const after = [await storage.changes.latest('bob'), await storage.changes.latest(null)];
    equal(
      [after.map((number, at) => number > (before[at] ?? 0)), await changed()],
      [[true, true], []],
      'of another user',
    );
  });

  check('QRY-7: an index that is ahead of the store must rebuild', async ({ changes, insert }) => {
    await insert('ann', createNewMemory({}));
    equal(await changes.since('ann', (await changes.latest('ann')) + 1), null, 'ahead of the store');
  });

  check("IDX-1: removes former models' vectors once the new model covers everything", async (storage) => {
    const { memories, vectorIndex } = storage;
    const [one, two] = await storage.insert('ann', createNewMemory({}), createNewMemory({}));
    const [other] = await storage.insert('bob', createNewMemory({}));
    const vector = unitVector(8, 1);
    const found = async (userId: string, modelId: string) =>
      (await vectorIndex.search(userId, modelId, vector, { limit: 50, filter: {} })).hits.length;
    for (const memory of [one, two]) await storage.embed('ann', 'former', memory, vector);
    await storage.embed('bob', 'former', other, vector);
    await storage.embed('ann', 'new', one, vector);
    await memories.removePreviousEmbeddings('ann', 'new');
    equal([await found('ann', 'former'), await found('ann', 'new')], [2, 1], 'while a memory lacks new embeddings');
    await storage.embed('ann', 'new', two, vector);
    await memories.removePreviousEmbeddings('ann', 'new');
    equal([await found('ann', 'former'), await found('ann', 'new')], [0, 2], 'once all memories have them');
    equal(await memories.countEmbedded('ann', 'former'), { total: 2, withEmbeddings: 0 }, 'count');
    equal(await found('bob', 'former'), 1, 'of another user');
    await memories.removePreviousEmbeddings('ann', 'unknown');
    equal(await found('ann', 'new'), 2, 'for a model without vectors');
  });
}

/** Makes a function that returns ann's memories that changed since its last call. */
async function createObserver({ changes }: Harness): Promise<() => Promise<string[]>> {
  let known = await changes.latest('ann');
  return async () => {
    const news = (await changes.since('ann', known)) ?? [];
    known = await changes.latest('ann');
    return [...new Set(news.map(({ memoryId }) => memoryId))];
  };
}
