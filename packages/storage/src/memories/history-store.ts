import type { ChangeKind } from '@recollect/contract';
import type { ChangeMark, FormerValues, HistoryEntry, HistoryStore } from '@recollect/core';
import type { Selectable } from 'kysely';
import type { Database } from '../dialect.js';
import type { Tables } from '../tables.js';
import { readStoreTime } from '../time/store-time.js';
import type { UserTransaction } from '../user-transaction.js';

/** Enters a change of a memory in its history, in the transaction of the change. */
export async function recordHistory(
  { trx, userId, now }: UserTransaction,
  { changeId, by }: ChangeMark,
  memoryId: string,
  kind: ChangeKind,
  former: FormerValues = {},
): Promise<void> {
  const fields = Object.keys(former);
  await trx
    .insertInto('memory_history')
    .values({
      user_id: userId,
      memory_id: memoryId,
      change_id: changeId,
      kind,
      actor: by === null ? null : JSON.stringify(by),
      at: now,
      elapsed: await readStoreTime(trx, now),
      fields: JSON.stringify(fields),
      former: fields.length === 0 ? null : JSON.stringify(former),
    })
    .execute();
}

/** The history of memories in a database, portable over dialects. */
export function createHistoryStore({ reader, list }: Database): HistoryStore {
  const entries = (userId: string) => reader.selectFrom('memory_history').where('user_id', '=', userId);

  return {
    async ofMemory(userId, memoryId, limit) {
      const rows = await entries(userId)
        .selectAll()
        .where('memory_id', '=', memoryId)
        .orderBy('position', 'desc')
        .limit(limit)
        .execute();
      return rows.map(toEntry);
    },

    async ofChange(userId, changeId) {
      const rows = await entries(userId).selectAll().where('change_id', '=', changeId).orderBy('position').execute();
      return rows.map(toEntry);
    },

    async after(userId, memoryIds, position) {
      const rows = await entries(userId)
        .selectAll()
        .where('memory_id', 'in', list.texts(memoryIds))
        .where('position', '>', position)
        .orderBy('position')
        .execute();
      return rows.map(toEntry);
    },
  };
}

function toEntry(row: Selectable<Tables['memory_history']>): HistoryEntry {
  return {
    position: row.position,
    changeId: row.change_id,
    memoryId: row.memory_id,
    kind: row.kind,
    by: row.actor === null ? null : JSON.parse(row.actor),
    at: row.at,
    fields: JSON.parse(row.fields),
    before: row.former === null ? null : JSON.parse(row.former),
  };
}
