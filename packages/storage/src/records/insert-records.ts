import type { NewRecord, RecordOutcome } from '@recollect/core';
import { readStoreTime } from '../time/store-time.js';
import type { UserTransaction } from '../user-transaction.js';
import { addMissing } from './add-missing.js';
import { type Created, insertCreated } from './insert-created.js';

/** The stored state of a record before it is inserted. */
interface Present {
  id: string;
  content_hash: string;
  deleted_at: string | null;
}

/** Stores records, or their parts that existing memories lack, in their order. */
export async function insertRecords(
  transaction: UserTransaction,
  records: readonly NewRecord[],
): Promise<RecordOutcome[]> {
  const { trx, userId, list, now } = transaction;
  const ofUser = trx.selectFrom('memories').select(['id', 'content_hash', 'deleted_at']).where('user_id', '=', userId);
  const ids = list.texts(records.map(({ record }) => record.id));
  const hashes = list.texts(records.map(({ contentHash }) => contentHash));
  const byId = new Map<string, Present>((await ofUser.where('id', 'in', ids).execute()).map((row) => [row.id, row]));
  const live = await ofUser.where('deleted_at', 'is', null).where('content_hash', 'in', hashes).execute();
  const byContent = new Map<string, Present>(live.map((row) => [row.content_hash, row]));
  // Time in the trash, and of former values, is counted from the import on: the store has not observed any before.
  const elapsed = await readStoreTime(trx, now);

  let created: Created[] = [];
  const flush = async () => {
    const memories = created;
    created = [];
    await insertCreated(transaction, memories, elapsed);
  };
  const outcomes: RecordOutcome[] = [];
  for (const draft of records) {
    const { record, contentHash } = draft;
    const own = byId.get(record.id);
    const twin = record.deletedAt === null ? byContent.get(contentHash) : undefined;
    // The existing memory may have been created by this loop.
    if (own !== undefined || twin !== undefined) await flush();
    if (own !== undefined) outcomes.push(await mergeInto(transaction, own, draft));
    else if (twin !== undefined) outcomes.push(await addMissing(transaction, twin.id, draft));
    else if (draft.chunks === null) outcomes.push('gone');
    else {
      created.push({ ...draft, chunks: draft.chunks });
      const inserted: Present = { id: record.id, content_hash: contentHash, deleted_at: record.deletedAt };
      byId.set(record.id, inserted);
      if (record.deletedAt === null) byContent.set(contentHash, inserted);
      outcomes.push('created');
    }
  }
  await flush();
  return outcomes;
}

async function mergeInto(transaction: UserTransaction, own: Present, draft: NewRecord): Promise<RecordOutcome> {
  if (own.content_hash !== draft.contentHash) return 'conflict';
  if (own.deleted_at !== null && draft.record.deletedAt === null) return 'trashed';
  return addMissing(transaction, own.id, draft);
}
