import type { PendingChunk } from '#core/ports/index.js';
import { equal, ok } from './assert.js';
import type { Check, Harness } from './harness.js';
import { RANKING } from './rank-separately.js';
import { CHANGE, createNewMemory, unitVector } from './samples.js';

/** Registers the cases for missing embeddings and indexing jobs. */
export function checkIndexing(check: Check): void {
  check('IDX-1: a memory counts as embedded when every chunk has an embedding of the model', async (storage) => {
    const draft = createNewMemory({ chunks: ['one ', 'two'] });
    const [saved] = await storage.insert('ann', draft);
    const [first = 0, second = 0] = saved?.added.map(({ chunkId }) => chunkId) ?? [];
    const put = (model: string, chunkId: number) =>
      storage.memories.saveEmbeddings('ann', model, [{ chunkId, title: draft.memory.title, vector: unitVector(8, 1) }]);
    const pending = async (model: string) =>
      (await storage.memories.pendingChunks('ann', model, 10)).map(({ chunkId }) => chunkId);
    equal(await pending('m'), [first, second], 'pending at first');
    await put('m', first);
    equal(await storage.memories.countEmbedded('ann', 'm'), { total: 1, withEmbeddings: 0 }, 'after one of two');
    const [rest] = await storage.memories.pendingChunks('ann', 'm', 10);
    equal([rest?.chunkId, rest?.previous, rest?.text], [second, 'one ', 'two'], 'pending with its context');
    await put('m', second);
    equal(await storage.memories.countEmbedded('ann', 'm'), { total: 1, withEmbeddings: 1 }, 'after both');
    equal(await pending('m'), [], 'pending at the end');
    equal(await storage.memories.countEmbedded('ann', 'other'), { total: 1, withEmbeddings: 0 }, 'of another model');
    equal(await storage.memories.countEmbedded('ann', null), { total: 1, withEmbeddings: 0 }, 'without a model');
    equal(await pending('other'), [first, second], 'pending for another model');
  });

  check('IDX-2: a memory that comes back during a backfill is embedded in it', async ({ memories, insert }) => {
    const drafts = ['one', 'two', 'three'].map((text) => createNewMemory({ chunks: [text] }));
    await insert('ann', ...drafts);
    const gone = drafts[0]?.memory.id ?? '';
    await memories.trash('ann', gone, '2026-07-01T00:00:00.000Z');
    const embedNext = async () => {
      const [next] = await memories.pendingChunks('ann', 'm', 1);
      if (next === undefined) return null;
      await memories.saveEmbeddings('ann', 'm', [{ ...next, vector: unitVector(8, 1) }]);
      return next.text;
    };
    equal(await embedNext(), 'two', 'the oldest that is there');
    await memories.restore('ann', gone, CHANGE);
    equal([await embedNext(), await embedNext(), await embedNext()], ['one', 'three', null], 'the rest');
  });

  check(
    'IDX-1: passage vectors are part of an embedding, and a memory without them may count as not embedded',
    async ({ memories, hybridIndex, insert }) => {
      const draft = createNewMemory({ chunks: ['one ', 'two'] });
      const [saved] = await insert('ann', draft);
      const [first = 0, second = 0] = saved?.added.map(({ chunkId }) => chunkId) ?? [];
      const put = (chunkId: number, passage: Uint8Array | null) =>
        memories.saveEmbeddings('ann', 'm', [
          { chunkId, title: draft.memory.title, vector: unitVector(8, 1), passage },
        ]);
      const wanted = { withPassages: true };
      const pending = async () => (await memories.pendingChunks('ann', 'm', 10, wanted)).map(({ chunkId }) => chunkId);
      const scores = async (user: string, modelId = 'm') => {
        const late = { tokens: Float32Array.of(1, 0, 0, 0, 0, 0, 0, 0), weight: 0.5 };
        const embedded = { modelId, vector: unitVector(8, 1), ...RANKING, late };
        const query = { terms: { terms: [['one']], prefix: null }, embedded };
        const { hits } = await hybridIndex.search(user, query, { limit: 10, filter: {} });
        return hits.map((hit) => [hit.chunkId, hit.late?.toFixed(3) ?? null]);
      };
      await put(first, null);
      await put(second, Uint8Array.of(0b1));
      equal(await memories.countEmbedded('ann', 'm'), { total: 1, withEmbeddings: 1 }, 'with embeddings');
      equal(await memories.countEmbedded('ann', 'm', wanted), { total: 1, withEmbeddings: 0 }, 'with passage vectors');
      equal([await pending(), await memories.countPendingChunks('ann', 'm', wanted)], [[first], 1], 'pending');
      equal(await scores('ann'), [[first, null]], 'while a chunk waits for its passage vectors');
      equal([await scores('bob'), await scores('ann', 'other')], [[], [[first, null]]], 'of another user or model');
      await put(first, Uint8Array.of(0b10));
      equal(await scores('ann'), [[second, '0.354']], 'the better of both: 1 ÷ √8');
      await put(second, new Uint8Array());
      equal(await scores('ann'), [[first, '-0.354']], 'beside a chunk in which the model knows no word');
      equal(await memories.countEmbedded('ann', 'm', wanted), { total: 1, withEmbeddings: 1 }, 'all');
      ok(await memories.hasEmbeddings('ann', 'm', draft.memory.id, wanted), 'the memory has them');
      await memories.trash('ann', draft.memory.id, '2026-07-01T00:00:00.000Z');
      equal(await scores('ann'), [], 'in the trash');
    },
  );

  check('CAP-9: records the job with the memories, and removes it with their last embeddings', async (storage) => {
    const { indexingJobs } = storage;
    const state = async () => {
      const job = await indexingJobs.latest('ann');
      return [job?.status, job?.remainingCount];
    };
    const first = await saveInline(storage);
    equal(await state(), ['pending', 1], 'after the commit');
    equal(await indexingJobs.due(10), [], 'while it is embedded inline');
    const second = await saveInline(storage);
    await embedInline(storage, second);
    equal(await state(), ['pending', 1], 'after one of two');
    await embedInline(storage, first);
    equal(await indexingJobs.latest('ann'), null, 'after both');
    const third = await saveInline(storage);
    await embedInline(storage, first);
    equal(await state(), ['pending', 1], 'after embeddings of an earlier job');
    const queued = await indexingJobs.queue('ann', { status: 'pending', remaining: 1 });
    await embedInline(storage, third);
    equal((await indexingJobs.latest('ann'))?.id, queued.id, 'a job that was queued explicitly');
    equal(await state(), ['pending', 1], 'its state, which only a runner changes');
  });

  check('IDX-5: captures during a batch do not close its job', async (storage) => {
    const { indexingJobs } = storage;
    await storage.insert('ann', createNewMemory({}), createNewMemory({}));
    const lease = await indexingJobs.claim('ann', 60_000);
    if (lease === null) throw new Error('The lease is taken.');
    await embedInline(storage, await saveInline(storage));
    const result = { status: 'pending' as const, processed: 0, remaining: 2, model: 'm', error: null };
    equal((await indexingJobs.finish(lease, result, () => 0))?.status, 'pending', 'the job');
    equal(await indexingJobs.due(10), ['ann'], 'due for the next batch');
    ok((await indexingJobs.claim('ann', 60_000)) !== null, 'the lease is free');
  });

  check('IDX-2: a process without a model does not stall others', async ({ indexingJobs, memories }) => {
    await indexingJobs.queue('ann', { status: 'failed', remaining: 1, error: 'why' });
    await indexingJobs.queue('ann', { status: 'blocked', remaining: 1 });
    const plan = { now: new Date(), indexing: () => ({ status: 'blocked' }) as const, triggersHooks: false };
    await memories.insert('ann', [createNewMemory({})], plan);
    const job = await indexingJobs.latest('ann');
    equal([job?.status, job?.remainingCount, job?.error], ['failed', 2, 'why'], 'the job of another process');
    equal(await indexingJobs.due(10), ['ann'], 'due');
    await indexingJobs.queue('bob', { status: 'blocked', remaining: 1 });
    equal((await indexingJobs.latest('bob'))?.status, 'blocked', 'a separate job');
    equal((await indexingJobs.due(10)).toSorted(), ['ann', 'bob'], 'a blocked job, for a process with a model');
  });

  check('IDX-5: a lease has one holder, and can be claimed after it expires', async ({ indexingJobs }) => {
    const claims = await Promise.all(Array.from({ length: 10 }, () => indexingJobs.claim('ann', 60_000)));
    const held = claims.filter((lease) => lease !== null);
    equal(held.length, 1, 'concurrent claims that succeed');
    const lease = held[0] ?? { userId: '', name: '', jobId: '', fence: 0, requests: 0 };
    equal(await indexingJobs.renew(lease, -1), true, 'renewal');
    const next = await indexingJobs.claim('ann', 60_000);
    equal(next?.fence, lease.fence + 1, 'fence');
    const outcome = { status: 'completed' as const, processed: 1, remaining: 0, model: 'm', error: null };
    equal(await indexingJobs.finish(lease, outcome, () => 0), null, 'finish under the lost lease');
    equal(
      (await indexingJobs.finish(next ?? lease, outcome, () => 0))?.status,
      'completed',
      'finish under the new lease',
    );
    equal((await indexingJobs.latest('ann'))?.processedCount, 1, 'processed');
  });

  check('IDX-2: retries a failed job later, and stops after its last try', async ({ indexingJobs }) => {
    await indexingJobs.queue('ann', { status: 'pending', remaining: 3 });
    equal(await indexingJobs.due(10), ['ann'], 'due at once');
    const fail = async (delay: number | null) => {
      const lease = await indexingJobs.claim('ann', 60_000);
      if (lease === null) throw new Error('The lease is taken.');
      equal(await indexingJobs.due(10), [], 'while a runner holds the lease');
      const outcome = { status: 'failed' as const, processed: 0, remaining: 3, model: 'm', error: 'why' };
      let tries = 0;
      await indexingJobs.finish(lease, outcome, (failures) => {
        tries = failures;
        return delay;
      });
      return tries;
    };
    equal(await fail(0), 1, 'first failure');
    equal(await indexingJobs.due(10), ['ann'], 'due after no delay');
    equal(await fail(60_000), 2, 'second failure');
    equal(await indexingJobs.due(10), [], 'due after a delay');
    equal(await fail(null), 3, 'third failure');
    equal(await indexingJobs.due(10), [], 'after the last try');
    equal((await indexingJobs.latest('ann'))?.error, 'why', 'reason');
  });
}

interface Inline {
  chunks: readonly PendingChunk[];
  jobId: string;
}

/** Stores a memory to be embedded inline. */
async function saveInline({ memories }: Harness): Promise<Inline> {
  const dueAt = new Date(Date.now() + 60_000).toISOString();
  const indexing = () => ({ status: 'pending', dueAt }) as const;
  const outcome = await memories.insert('ann', [createNewMemory({})], {
    now: new Date(),
    indexing,
    triggersHooks: false,
  });
  if ('replayed' in outcome || outcome.indexingJobId === null) throw new Error('No job was recorded.');
  return { chunks: outcome.saved.flatMap(({ added }) => added), jobId: outcome.indexingJobId };
}

function embedInline({ memories }: Harness, { chunks, jobId }: Inline): Promise<void> {
  const embeddings = chunks.map(({ chunkId, title }) => ({ chunkId, title, vector: unitVector(8, 1) }));
  return memories.saveEmbeddings('ann', 'm', embeddings, { jobId, memories: 1 });
}
