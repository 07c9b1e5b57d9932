import { createId, type MemoryStore } from '@recollect/core';
import type { Database } from '../dialect.js';
import { addIndexing } from '../indexing/record-indexing.js';
import { removeFormerEmbeddings } from '../indexing/remove-former-embeddings.js';
import { saveEmbeddings } from '../indexing/save-embeddings.js';
import { checkLease } from '../leases/lease-store.js';
import { writeEvents } from '../plugins/event-outbox.js';
import type { Observers } from '../plugins/observers.js';
import { createRunTransaction, type IndexTables, type UserTransaction } from '../user-transaction.js';
import { changeAll, restoreMemory, trashMemory, updateMemory } from './change-memory.js';
import { emptyTrash } from './empty-trash.js';
import { insertMemories } from './insert-memories.js';
import { findAnswer, keepAnswer, updateAnswer } from './kept-answers.js';
import { createPurge } from './purge.js';

type Writing =
  | 'insert'
  | 'updateAnswer'
  | 'update'
  | 'trash'
  | 'restore'
  | 'changeAll'
  | 'emptyTrash'
  | 'saveEmbeddings'
  | 'removeFormerEmbeddings'
  | 'purge';

/** Changes memories, each time with their index rows in the same transaction. */
export function createMemoryWriter(
  database: Database,
  indexes: IndexTables,
  observers: Observers,
): Pick<MemoryStore, Writing> {
  const run = createRunTransaction(database, indexes);
  const { clock } = database;

  return {
    async insert(userId, memories, { now, replay, indexing, triggersHooks, under, by = null }) {
      const notifiesPlugins = triggersHooks && (await observers.exist());
      const mark = { changeId: createId(now), by };
      const work = async (transaction: UserTransaction) => {
        const { trx } = transaction;
        if (under !== undefined) await checkLease(trx, clock, under);
        const answered = replay === undefined ? null : await findAnswer(trx, userId, replay.key);
        if (answered !== null) return { replayed: answered };
        const saved = await insertMemories(transaction, memories);
        const job = indexing(saved);
        // A conversation may come twice, and grow.
        const remaining = new Set(saved.flatMap(({ id, added }) => (added.length > 0 ? [id] : []))).size;
        const indexingJobId = job === null ? null : await addIndexing(transaction, job, remaining);
        const hooksTriggered = notifiesPlugins ? await writeEvents(trx, userId, saved, now) : 0;
        if (replay !== undefined) {
          const { key, requestHash, answer } = replay;
          await keepAnswer(transaction, key, { requestHash, answer: answer(saved, hooksTriggered) });
        }
        return { saved, hooksTriggered, indexingJobId };
      };
      return run(userId, now.toISOString(), work, mark);
    },

    updateAnswer: (userId, key, answer) => updateAnswer(database, userId, key, answer),

    update: (userId, id, change, { now, indexing, under, mark }) => {
      const work = async (transaction: UserTransaction) => {
        if (under !== undefined) await checkLease(transaction.trx, clock, under);
        return updateMemory(transaction, id, change, indexing);
      };
      return run(userId, now, work, mark);
    },

    trash: (userId, id, now, mark) => run(userId, now, (transaction) => trashMemory(transaction, id), mark),

    restore: (userId, id, { now, indexing, mark }) =>
      run(userId, now, (transaction) => restoreMemory(transaction, id, indexing), mark),

    changeAll: (userId, ids, change, { now, mark, ...options }) =>
      run(userId, now, (transaction) => changeAll(transaction, ids, change, options), mark),

    emptyTrash: (userId, selection) => emptyTrash(database, userId, selection),

    saveEmbeddings: (userId, modelId, embeddings, settles = null) =>
      run(userId, new Date().toISOString(), (transaction) => saveEmbeddings(transaction, modelId, embeddings, settles)),

    removeFormerEmbeddings: (userId, modelId, signal) => removeFormerEmbeddings(database, run, userId, modelId, signal),

    purge: createPurge(database),
  };
}
