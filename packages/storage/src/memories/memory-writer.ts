import {
  createId,
  inCapture,
  type MemoryStore,
  type NewMemory,
  RecollectError,
  type SavedMemory,
  type TrashSelection,
} from '@recollect/core';
import type { Database } from '../dialect.js';
import { addIndexing } from '../indexing/record-indexing.js';
import { removeFormerEmbeddings } from '../indexing/remove-former-embeddings.js';
import { saveEmbeddings } from '../indexing/save-embeddings.js';
import { checkLease } from '../leases/lease-store.js';
import { type Observers, writeEvents } from '../plugins/event-outbox.js';

import { createRunTransaction, type IndexTables, type UserTransaction } from '../user-transaction.js';
import { changeAll, restoreMemory, trashMemory, updateMemory } from './change-memory.js';
import { findLinked } from './fill-link.js';
import { insertMemory, insertNew } from './insert-memory.js';
import { findAnswer, keepAnswer, updateAnswer } from './kept-answers.js';
import { live } from './live.js';
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

/** Permanently deletes memories in the trash, with all that belongs to them. Returns how many. */
async function emptyTrash(
  { writer, list }: Database,
  userId: string,
  { ids = null, deletedBefore = null, limit }: TrashSelection,
): Promise<number> {
  return writer.transaction().execute(async (trx) => {
    let selected = trx
      .selectFrom('memories')
      .select('id')
      .where('user_id', '=', userId)
      .where('deleted_at', 'is not', null)
      .orderBy('deleted_at')
      .limit(limit);
    if (ids !== null) selected = selected.where('id', 'in', list.texts(ids));
    if (deletedBefore !== null) selected = selected.where('deleted_at', '<', deletedBefore);
    const chosen = (await selected.execute()).map(({ id }) => id);
    return chosen.length === 0 ? 0 : deleteMemories({ trx, userId, list }, chosen);
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
  const { trx, userId, list } = transaction;
  const hashes = list.texts(drafts.map(({ contentHash }) => contentHash));
  const rows = await live(trx, userId).select('content_hash').where('content_hash', 'in', hashes).execute();
  const known = new Set(rows.map((row) => row.content_hash));
  const linked = await findLinked(transaction, drafts);
  return drafts.filter((draft) => {
    const { contentHash, conversation, duplicateOf } = draft;
    if (linked.has(draft)) return false;
    if (conversation !== null || duplicateOf !== undefined || known.has(contentHash)) return false;
    known.add(contentHash);
    return true;
  });
}

/** Field errors of one capture are reported with its position. */
function throwIn(error: unknown, position: number, count: number): never {
  throw error instanceof RecollectError && error.errors.length > 0 ? inCapture(error, position, count > 1) : error;
}
