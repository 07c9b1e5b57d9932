import { createCore } from '@recollect/core';
import { createFakeModel } from '@recollect/core/testing';
import { openStorage } from '@recollect/storage';
import { expect, test } from 'vitest';

const BATCH = 8;

/** People with so many memories without embeddings, and a process that then embeds them. */
async function withQueues(lengths: readonly number[]) {
  const storage = await openStorage({ url: 'sqlite::memory:', readers: 0 });
  const saving = createCore(storage);
  const users = lengths.map((_, at) => `person-${at}`);
  for (const [at, length] of lengths.entries()) {
    const captures = Array.from({ length }, (_, number) => ({ pageText: `Text ${number} of person ${at}.` }));
    await saving.capture(users[at] ?? '', captures);
  }
  const embeddingModel = createFakeModel();
  const core = createCore({ ...storage, embeddingModel });
  await core.indexing.queueMissing();
  const left = async () => {
    const states = await Promise.all(users.map((userId) => core.indexing.state(userId)));
    return states.map(({ withoutEmbeddings }) => withoutEmbeddings);
  };
  return { core, left, storage, embeddingModel, close: () => storage.close() };
}

test('PPL-10: a long queue of one person does not delay another person', async () => {
  const { core, left, close } = await withQueues([100, 3, 5]);
  await core.indexing.runDue({ batchSize: BATCH });
  expect(await left()).toEqual([92, 0, 0]);
  // Someone saves while the queue is being worked on.
  await core.capture('person-1', [{ pageText: 'A new text.' }], { embedsLater: true });
  await core.indexing.runDue({ batchSize: BATCH });
  expect(await left()).toEqual([84, 0, 0]);
  await close();
});

test('PPL-10: everyone has a turn before anyone has a third one, with more people than a round serves', async () => {
  const { core, left, close } = await withQueues(Array(14).fill(30));
  // Ten people at a time.
  for (let round = 0; round < 2; round++) await core.indexing.runDue({ batchSize: BATCH });
  const after = await left();
  expect(Math.max(...after)).toBe(22);
  expect(Math.min(...after)).toBe(14);
  await close();
});

test('CLI-14: a worker leaves a job that another one has taken, and does the next', async () => {
  const { left, storage, embeddingModel, close } = await withQueues([3, 3]);
  const { indexingJobs } = storage;
  const due = async (limit: number) => {
    const users = await indexingJobs.due(limit);
    await indexingJobs.claim('person-0', 60_000);
    return users;
  };
  const worker = createCore({ ...storage, embeddingModel, indexingJobs: { ...indexingJobs, due } });
  expect(await worker.indexing.runDue({ batchSize: BATCH })).toEqual({ jobs: 1, pending: 0 });
  expect(await left()).toEqual([3, 0]);
  await close();
});
