import type { RecordStore } from '@recollect/core';
import type { Database } from '../dialect.js';
import { addIndexing } from '../indexing/record-indexing.js';
import { createRunTransaction, type IndexTables, type UserTransaction } from '../user-transaction.js';
import { insertRecords } from './insert-records.js';
import { scanRecords, selectRecords } from './scan-records.js';

/** Whole memories in a database, portable over dialects. */
export function createRecordStore(database: Database, indexes: IndexTables): RecordStore {
  const { reader, list } = database;
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
      const ids = list.texts(records.map(({ id }) => id));
      const hashes = list.texts(records.flatMap(({ contentHash }) => contentHash ?? []));
      const [byId, byContent] = await Promise.all([
        ofUser.select('id').where('id', 'in', ids).execute(),
        ofUser.select('content_hash').where('deleted_at', 'is', null).where('content_hash', 'in', hashes).execute(),
      ]);
      const present = new Set(byId.map(({ id }) => id));
      const contents = new Set<string | null>(byContent.map(({ content_hash }) => content_hash));
      return new Set(
        records.filter(({ id, contentHash }) => present.has(id) || contents.has(contentHash)).map(({ id }) => id),
      );
    },

    insert: (userId, records, { now, indexing, mark }) => {
      const work = async (transaction: UserTransaction) => {
        const outcomes = await insertRecords(transaction, records);
        const embeddable = records.filter(
          ({ record }, index) => outcomes[index] === 'created' && record.deletedAt === null,
        );
        if (embeddable.length > 0) await addIndexing(transaction, indexing, embeddable.length);
        return outcomes;
      };
      return run(userId, now, work, mark);
    },
  };
}
