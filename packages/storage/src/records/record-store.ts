import type { NewRecord, RecordOutcome, RecordStore } from '@recollect/core';
import type { Database } from '../dialect.js';
import { addIndexing } from '../indexing/record-indexing.js';
import { readStoreTime } from '../time/store-time.js';
import { createRunTransaction, type IndexTables, type UserTransaction } from '../user-transaction.js';
import { addMissing } from './add-missing.js';
import { type Created, insertCreated } from './insert-created.js';
import { scanRecords, selectRecords } from './scan-records.js';

/** Whole memories in a database, portable over dialects. */
export function createRecordStore(database: Database, indexes: IndexTables): RecordStore {
  const { reader, isIn } = database;
  const run = createRunTransaction(database, indexes);

  return {
    scan: (userId, selection) => scanRecords(database, userId, selection),

    async count(userId, selection) {
      const { count } = await selectRecords(reader, userId, selection)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      return count;
    },

    async known(userId, records) {
      const ofUser = reader.selectFrom('memories').where('user_id', '=', userId);
      const ids = records.map(({ id }) => id);
      const hashes = records.flatMap(({ contentHash }) => contentHash ?? []);
      const [byId, byContent] = await Promise.all([
        ofUser.select('id').where(isIn('id', ids)).execute(),
        ofUser.select('content_hash').where('deleted_at', 'is', null).where(isIn('content_hash', hashes)).execute(),
      ]);
      const present = new Set(byId.map(({ id }) => id));
      const contents = new Set<string | null>(byContent.map(({ content_hash }) => content_hash));
      return new Set(
        records.filter(({ id, contentHash }) => present.has(id) || contents.has(contentHash)).map(({ id }) => id),
      );
    },

    insert: (userId, records, { now, indexing, changeMark }) => {
      const work = async (transaction: UserTransaction) => {
        const outcomes = await insertRecords(transaction, records);
        const embeddable = records.filter(
          ({ record }, index) => outcomes[index] === 'created' && record.deletedAt === null,
        );
        if (embeddable.length > 0) await addIndexing(transaction, indexing, embeddable.length);
        return outcomes;
      };
      return run(userId, now, work, changeMark);
    },
  };
}

/** The stored state of a record before it is inserted. */
interface Present {
  id: string;
  content_hash: string;
  deleted_at: string | null;
}

/** Stores records, or their parts that existing memories lack, in their order. */
async function insertRecords(transaction: UserTransaction, records: readonly NewRecord[]): Promise<RecordOutcome[]> {
  const { trx, userId, isIn, now } = transaction;
  const ofUser = trx.selectFrom('memories').select(['id', 'content_hash', 'deleted_at']).where('user_id', '=', userId);
  const ids = records.map(({ record }) => record.id);
  const hashes = records.map(({ contentHash }) => contentHash);
  const byId = new Map<string, Present>((await ofUser.where(isIn('id', ids)).execute()).map((row) => [row.id, row]));
  const live = await ofUser.where('deleted_at', 'is', null).where(isIn('content_hash', hashes)).execute();
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
    const existing = byId.get(record.id);
    const twin = record.deletedAt === null ? byContent.get(contentHash) : undefined;
    // The existing memory may have been created by this loop.
    if (existing !== undefined || twin !== undefined) await flush();
    if (existing !== undefined) outcomes.push(await mergeInto(transaction, existing, draft));
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

async function mergeInto(transaction: UserTransaction, existing: Present, draft: NewRecord): Promise<RecordOutcome> {
  if (existing.content_hash !== draft.contentHash) return 'conflict';
  if (existing.deleted_at !== null && draft.record.deletedAt === null) return 'trashed';
  return addMissing(transaction, existing.id, draft);
}
