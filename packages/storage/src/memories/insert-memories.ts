import { inCapture, type NewMemory, RecollectError, type SavedMemory } from '@recollect/core';
import type { UserTransaction } from '../user-transaction.js';
import { findLinked } from './fill-link.js';
import { insertMemory, insertNew } from './insert-memory.js';
import { live } from './live.js';

/**
 * Stores memories in their order. New ones are written together, because each statement waits for the thread of the
 * connection. Conversations may continue a stored one, and the same content may come twice: these are stored one by
 * one.
 */
export async function insertMemories(
  transaction: UserTransaction,
  drafts: readonly NewMemory[],
): Promise<SavedMemory[]> {
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
