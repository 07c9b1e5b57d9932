import { type ImportStore, isTexts, readJson, type StoredImport } from '@recollect/core';
import type { Selectable } from 'kysely';
import type { Database } from './dialect.js';
import type { Tables } from './tables.js';

/** Imports in a database, portable over dialects. */
export function createImportStore({ reader, writer, transaction, isIn }: Database): ImportStore {
  const ofUser = (userId: string) => reader.selectFrom('imports').selectAll().where('user_id', '=', userId);
  const change = (userId: string) => writer.updateTable('imports').where('user_id', '=', userId);
  return {
    async list(userId, limit) {
      const rows = await ofUser(userId).orderBy('id', 'desc').limit(limit).execute();
      return rows.map(toImport);
    },

    async find(userId, id) {
      const row = await ofUser(userId).where('id', '=', id).executeTakeFirst();
      return row === undefined ? null : toImport(row);
    },

    save: (userId, { id, at, name, programs, created, updated, undoId }) =>
      transaction(userId, async (trx) => {
        await trx.deleteFrom('imports').where('user_id', '=', userId).where('id', '=', id).execute();
        const row = { user_id: userId, id, at, name, programs: JSON.stringify(programs) };
        await trx
          .insertInto('imports')
          .values({ ...row, created, updated, undo_id: undoId })
          .execute();
      }),

    async remove(userId, id) {
      await writer.deleteFrom('imports').where('user_id', '=', userId).where('id', '=', id).execute();
    },

    async saveUndo(userId, changeId, undoId) {
      await change(userId).set({ undo_id: null }).where('undo_id', '=', changeId).execute();
      await change(userId).set({ undo_id: undoId }).where('id', '=', changeId).execute();
    },

    async created(userId, id) {
      const rows = await reader
        .selectFrom('memories')
        .select('id')
        .where('user_id', '=', userId)
        .where('import_id', '=', id)
        .where('deleted_at', 'is', null)
        .orderBy('id')
        .execute();
      return rows.map((row) => row.id);
    },

    async highlightedSince(userId, memoryIds, at) {
      const rows = await reader
        .selectFrom('highlights')
        .select('memory_id')
        .distinct()
        .where('user_id', '=', userId)
        .where(isIn('memory_id', memoryIds))
        .where('updated_at', '>', at)
        .execute();
      return rows.map((row) => row.memory_id);
    },
  };
}

function toImport(row: Selectable<Tables['imports']>): StoredImport {
  const { id, at, name, created, updated, undo_id: undoId } = row;
  return { id, at, name, programs: readJson(row.programs, isTexts, []), created, updated, undoId };
}
