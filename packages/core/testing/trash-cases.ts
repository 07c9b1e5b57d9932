import { contentHashOf } from '#core/drafts/normalise-capture.js';
import { equal, ok } from './assert.js';
import type { Check } from './harness.js';
import { CHANGE, createNewMemory, unitVector } from './samples.js';

const NOW = '2026-01-31T12:00:00.000Z';
const DAY = 86_400_000;
const everything = { limit: 50, filter: {} };
const isRestored = (outcome: object | string) => typeof outcome === 'object';

/** Registers the cases for deleting, restoring and purging. */
export function checkTrash(check: Check): void {
  check(
    'MEM-2: a deleted memory is in no result, and is permanently removed when the trash is emptied',
    async (storage) => {
      const draft = createNewMemory({ chunks: ['secret'], url: 'https://a.example/' });
      const [saved] = await storage.insert('ann', draft);
      const chunkId = saved?.added[0]?.chunkId ?? 0;
      const vector = unitVector(8, 1);
      await storage.embed('ann', 'm', saved, vector);
      equal(await storage.memories.trash('bob', draft.memory.id, NOW), false, "another user's delete");
      equal(await storage.memories.trash('ann', draft.memory.id, NOW), true, 'delete');
      equal(await storage.memories.trash('ann', draft.memory.id, NOW), false, 'deleting twice');
      equal(await storage.search('ann', 'secret'), [], 'text');
      equal((await storage.vectorIndex.search('ann', 'm', vector, everything)).hits.length, 0, 'vectors');
      equal(await storage.memories.find('ann', draft.memory.id), null, 'find');
      equal(await storage.memories.lookup('ann', [draft.urlKey ?? '']), [], 'lookup');
      equal((await storage.memories.readHits('ann', [{ memoryId: draft.memory.id, chunkId }])).size, 0, 'hits');
      equal(await storage.memories.countEmbedded('ann', 'm'), { total: 0, withEmbeddings: 0 }, 'count');
      ok(isRestored(await storage.memories.restore('ann', draft.memory.id, CHANGE)), 'restore');
      equal(await storage.search('ann', 'secret'), [draft.memory.id], 'text after restoring');
      await storage.memories.trash('ann', draft.memory.id, NOW);
      const later = new Date(Date.parse(NOW) + 2_000).toISOString();
      await storage.memories.purge({ now: later, trashedFor: 1_000, answeredFor: 1_000, valuesFor: 1_000 });
      equal(await storage.memories.restore('ann', draft.memory.id, CHANGE), 'unknown', 'after the trash is emptied');
    },
  );

  check(
    'MEM-2: the trash is asked for texts and addresses, and one that is saved again is not in it',
    async (storage) => {
      const { memories } = storage;
      const page = createNewMemory({ chunks: ['a page'], url: 'https://a.example/' });
      const note = createNewMemory({ chunks: ['a note'] });
      for (const draft of [page, note, createNewMemory({ chunks: ['kept'], url: 'https://b.example/' })])
        await storage.insert('ann', draft);
      const among = async (user = 'ann') =>
        (
          await memories.deletedAmong(user, {
            contentHashes: [note.contentHash, 'other'],
            urlKeys: [page.urlKey ?? '', 'https://b.example/'],
          })
        ).sort((one) => (one.urlKey === null ? 1 : -1));
      equal(await among(), [], 'before');
      for (const draft of [page, note]) await memories.trash('ann', draft.memory.id, NOW);
      const deleted = [page, note].map(({ contentHash, urlKey }) => ({ contentHash, urlKey }));
      equal(await among(), deleted, 'in the trash');
      equal(await among('bob'), [], 'of another user');
      await storage.insert('ann', createNewMemory({ chunks: ['a later text'], url: 'https://a.example/' }));
      equal(await among(), deleted.slice(1), 'an address that is saved again');
      await storage.insert('ann', createNewMemory({ chunks: ['a note'], contentHash: note.contentHash }));
      equal(await among(), [], 'a text that is saved again');
    },
  );

  check('IMP-1: a memory is known by the texts that it had, also in the trash', async (storage) => {
    const { memories } = storage;
    const draft = createNewMemory({ chunks: ['a tpyo'], contentHash: await contentHashOf(null, 'a tpyo') });
    const { id } = draft.memory;
    const other = createNewMemory({ chunks: ['another'], contentHash: await contentHashOf(null, 'another') });
    await storage.insert('ann', draft, other);
    const hashes = [draft.contentHash, other.contentHash, 'unknown'];
    const known = (user = 'ann') => memories.withPreviousText(user, hashes);
    const inTrash = () => memories.deletedAmong('ann', { contentHashes: hashes, urlKeys: [] });
    equal(await known(), [], 'before');
    await memories.update('ann', id, { text: { chunks: ['a typo'], contentHash: 'corrected' } }, CHANGE);
    equal(await known(), [{ contentHash: draft.contentHash, id }], 'corrected');
    equal(await known('bob'), [], 'of another user');
    await memories.trash('ann', id, NOW);
    equal(await known(), [], 'in the trash');
    equal(await inTrash(), [{ contentHash: draft.contentHash, urlKey: null }], 'the trash');
    await memories.restore('ann', id, CHANGE);
    await memories.update('ann', id, { text: { chunks: ['again'], contentHash: 'again' } }, CHANGE);
    equal(await known(), [{ contentHash: draft.contentHash, id }], 'corrected once more');
    await storage.insert('ann', { ...createNewMemory({ chunks: ['a tpyo'] }), contentHash: draft.contentHash });
    equal(await known(), [], 'a text that another memory has now');
    await memories.trash('ann', id, NOW);
    equal(await inTrash(), [], 'a deleted memory whose former text another one has');
  });

  check('REL-12: counts only time observed by the store towards emptying the trash', async (storage) => {
    const { memories } = storage;
    const [saved] = await storage.insert('ann', createNewMemory({}));
    const id = saved?.id ?? '';
    const start = Date.parse(NOW);
    const purge = (days: number) =>
      memories.purge({
        now: new Date(start + days * DAY).toISOString(),
        trashedFor: 3 * DAY,
        answeredFor: 3 * DAY,
        valuesFor: 3 * DAY,
      });
    await memories.trash('ann', id, NOW);
    const [other] = await storage.insert('ann', createNewMemory({}));
    await memories.trash('ann', other?.id ?? '', new Date(start + 40 * DAY).toISOString());
    equal(await purge(40), { clockJump: 40 * DAY }, 'the clock is set ahead and another call reads it first');
    equal(await purge(40.01), { clockJump: 0 }, 'shortly after that');
    equal(await purge(0), { clockJump: 0 }, 'the clock is set back');
    ok(isRestored(await memories.restore('ann', id, CHANGE)), 'after both');
    await memories.trash('ann', id, NOW);
    for (let round = 0; round < 10; round++) {
      await memories.trash('ann', 'unknown', new Date(start + 2 * DAY).toISOString());
      await memories.trash('ann', 'unknown', NOW);
    }
    for (let round = 0; round < 3; round++) await purge(0);
    ok(isRestored(await memories.restore('ann', id, CHANGE)), 'after alternating between two clocks');
    await memories.trash('ann', id, NOW);
    for (const day of [1, 2, 3]) await purge(day);
    ok(isRestored(await memories.restore('ann', id, CHANGE)), 'after three days');
    await memories.trash('ann', id, new Date(start + 3 * DAY).toISOString());
    for (const day of [4, 5, 6, 6.5]) await purge(day);
    equal(await memories.restore('ann', id, CHANGE), 'unknown', 'after more than three days');
  });

  check('MEM-1: refuses to restore a memory that has been captured again since', async (storage) => {
    const draft = createNewMemory({ contentHash: 'same' });
    await storage.insert('ann', draft);
    await storage.memories.trash('ann', draft.memory.id, NOW);
    const [again] = await storage.insert('ann', createNewMemory({ contentHash: 'same' }));
    equal(again?.status, 'created', 'captured again');
    equal(await storage.memories.restore('ann', draft.memory.id, CHANGE), 'duplicate', 'restore');
  });
}
