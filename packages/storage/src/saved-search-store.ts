import { tagKey } from '@recollect/contract/text';
import type { SavedSearchStore } from '@recollect/core';
import type { Database } from './dialect.js';
import type { Trx } from './tables.js';

const columns = ['id', 'name', 'query', 'created_at as createdAt', 'updated_at as updatedAt'] as const;

/** Saved searches in a database, portable over dialects. */
export function createSavedSearchStore({ reader, writer, transaction }: Database): SavedSearchStore {
  return {
    list: (userId) =>
      reader.selectFrom('saved_searches').select(columns).where('user_id', '=', userId).orderBy('name_key').execute(),

    insert: (userId, { id, name, query, createdAt, updatedAt }, most) =>
      transaction(userId, async (trx) => {
        if (await isTaken(trx, userId, name, id)) return 'taken';
        const { count } = await trx
          .selectFrom('saved_searches')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .where('user_id', '=', userId)
          .executeTakeFirstOrThrow();
        if (count >= most) return 'full';
        const row = { user_id: userId, id, name, name_key: tagKey(name), query };
        await trx
          .insertInto('saved_searches')
          .values({ ...row, created_at: createdAt, updated_at: updatedAt })
          .execute();
        return 'stored';
      }),

    update: (userId, id, { name, query, updatedAt }) =>
      transaction(userId, async (trx) => {
        if (name !== undefined && (await isTaken(trx, userId, name, id))) return 'taken';
        const changed = await trx
          .updateTable('saved_searches')
          .set({
            ...(name === undefined ? {} : { name, name_key: tagKey(name) }),
            ...(query === undefined ? {} : { query }),
            updated_at: updatedAt,
          })
          .where('user_id', '=', userId)
          .where('id', '=', id)
          .returning(columns)
          .executeTakeFirst();
        return changed ?? 'unknown';
      }),

    async remove(userId, id) {
      const { numDeletedRows } = await writer
        .deleteFrom('saved_searches')
        .where('user_id', '=', userId)
        .where('id', '=', id)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },
  };
}

/** Whether another search of the user has the name. */
async function isTaken(trx: Trx, userId: string, name: string, id: string): Promise<boolean> {
  const row = await trx
    .selectFrom('saved_searches')
    .select('id')
    .where('user_id', '=', userId)
    .where('name_key', '=', tagKey(name))
    .executeTakeFirst();
  return row !== undefined && row.id !== id;
}
