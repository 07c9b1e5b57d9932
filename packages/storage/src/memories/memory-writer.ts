import {
  createId,
  type MemoryStore,
  type NewMemory,
  prefixPointers,
  RecollectError,
  type SavedMemory,
  type TrashSelection,
} from '@recollect/core';
import type { Database } from '../dialect.js';
import { addIndexing } from '../indexing/record-indexing.js';
import { removePreviousEmbeddings } from '../indexing/remove-previous-embeddings.js';
import { saveEmbeddings } from '../indexing/save-embeddings.js';
import { checkLease } from '../leases/lease-store.js';
import { type Observers, writeEvents } from '../plugins/event-outbox.js';

import { createRunTransaction, type IndexTables, type UserTransaction } from '../user-transaction.js';
import { activeMemories } from './active-memories.js';
import { changeAll, restoreMemory, trashMemory, updateMemory } from './change-memory.js';
import { findLinked } from './fill-link.js';
import { insertMemory, insertNew } from './insert-memory.js';
import { findAnswer, keepAnswer, updateAnswer } from './kept-answers.js';
import { createPurge, deleteMemories } from './purge.js';

type Writing =
  | 'insert'
  | 'updateAnswer'
  | 'update'
  | 'trash'
  | 'restore'
  | 'changeAll'
  | 'emptyTrash'
  | 'saveEmbeddings'
  | 'removePreviousEmbeddings'
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
    async insert(userId, memories, { now, replay, indexing, triggersHooks, lease, actor = null, importId }) {
      const notifiesPlugins = triggersHooks && (await observers.exist());
      const changeMark = { changeId: importId ?? createId(now), actor, isImport: importId !== undefined };
      const work = async (transaction: UserTransaction) => {
        const { trx } = transaction;
        if (lease !== undefined) await checkLease(trx, clock, lease);
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
      return run(userId, now.toISOString(), work, changeMark);
    },

    updateAnswer: (userId, key, answer) => updateAnswer(database, userId, key, answer),

    update: (userId, id, change, { now, indexing, lease, changeMark }) => {
      const work = async (transaction: UserTransaction) => {
        if (lease !== undefined) await checkLease(transaction.trx, clock, lease);
        return updateMemory(transaction, id, change, indexing);
      };
      return run(userId, now, work, changeMark);
    },

    trash: (userId, id, now, changeMark) => run(userId, now, (transaction) => trashMemory(transaction, id), changeMark),

    restore: (userId, id, { now, indexing, changeMark }) =>
      run(userId, now, (transaction) => restoreMemory(transaction, id, indexing), changeMark),

    changeAll: (userId, ids, change, { now, changeMark, ...options }) =>
      run(userId, now, (transaction) => changeAll(transaction, ids, change, options), changeMark),

    emptyTrash: (userId, selection) => emptyTrash(database, userId, selection),

    saveEmbeddings: (userId, modelId, embeddings, settles = null) =>
      run(userId, new Date().toISOString(), (transaction) => saveEmbeddings(transaction, modelId, embeddings, settles)),

    removePreviousEmbeddings: (userId, modelId, signal) =>
      removePreviousEmbeddings(database, run, userId, modelId, signal),

    purge: createPurge(database),
  };
}

/** Permanently deletes memories in the trash, with all that belongs to them. Returns how many. */
async function emptyTrash(
  { transaction, isIn }: Database,
  userId: string,
  { ids = null, deletedBefore = null, limit }: TrashSelection,
): Promise<number> {
  return transaction(userId, async (trx) => {
    let selected = trx
      .selectFrom('memories')
      .select('id')
      .where('user_id', '=', userId)
      .where('deleted_at', 'is not', null)
      .orderBy('deleted_at')
      .limit(limit);
    if (ids !== null) selected = selected.where(isIn('id', ids));
    if (deletedBefore !== null) selected = selected.where('deleted_at', '<', deletedBefore);
    const chosen = (await selected.execute()).map(({ id }) => id);
    return chosen.length === 0 ? 0 : deleteMemories({ trx, userId, isIn }, chosen);
  });
}

/**
 * Stores memories in their order. New ones are written together, because each statement waits for the thread of the
 * connection. Conversations may continue a stored one, and the same content may come twice: these are stored one by
 * one.
 */
async function insertMemories(transaction: UserTransaction, drafts: readonly NewMemory[]): Promise<SavedMemory[]> {
  const created = drafts.length === 1 ? [] : await findNew(transaction, drafts);
  const inserted = await insertNew(transaction, created);
  const saved = new Map(created.map((draft, at) => [draft, inserted[at]]));
  const all: SavedMemory[] = [];
  for (const [position, draft] of drafts.entries()) {
    const store = () => insertMemory(transaction, draft).catch((error) => throwIn(error, position, drafts.length));
    all.push(saved.get(draft) ?? (await store()));
  }
  return all;
}

/** The memories that are certainly new: no conversations, no pages of links, and of the same content only the first. */
async function findNew(transaction: UserTransaction, drafts: readonly NewMemory[]): Promise<NewMemory[]> {
  const { trx, userId, isIn } = transaction;
  const hashes = drafts.map(({ contentHash }) => contentHash);
  const rows = await activeMemories(trx, userId).select('content_hash').where(isIn('content_hash', hashes)).execute();
  const storedHashes = new Set(rows.map((row) => row.content_hash));
  const linked = await findLinked(transaction, drafts);
  return drafts.filter((draft) => {
    const { contentHash, conversation, duplicateOf } = draft;
    if (linked.has(draft)) return false;
    if (conversation !== null || duplicateOf !== undefined || storedHashes.has(contentHash)) return false;
    storedHashes.add(contentHash);
    return true;
  });
}

/** Field errors of one capture are reported with its position. */
function throwIn(error: unknown, position: number, count: number): never {
  throw error instanceof RecollectError && error.errors.length > 0 ? prefixPointers(error, position, count > 1) : error;
}
