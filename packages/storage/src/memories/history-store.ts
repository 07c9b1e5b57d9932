import type { ChangeKind } from '@recollect/contract';
import {
  type ChangeMark,
  type HistoryEntry,
  type HistoryStore,
  isObject,
  isTexts,
  type PreviousValues,
  readJson,
} from '@recollect/core';
import type { JoinBuilder, Selectable } from 'kysely';
import type { Database } from '../dialect.js';
import type { Tables } from '../tables.js';
import { readStoreTime } from '../time/store-time.js';
import type { UserTransaction } from '../user-transaction.js';
import { afterPrefix } from './after-prefix.js';

/** Enters a change of a memory in its history, in the transaction of the change. */
export async function recordHistory(
  { trx, userId, now }: UserTransaction,
  { changeId, actor }: ChangeMark,
  memoryId: string,
  kind: ChangeKind,
  previous: PreviousValues = {},
): Promise<void> {
  const fields = Object.keys(previous);
  const { text, ...small } = previous;
  const { position } = await trx
    .insertInto('memory_history')
    .values({
      user_id: userId,
      memory_id: memoryId,
      change_id: changeId,
      kind,
      actor: actor === null ? null : JSON.stringify(actor),
      at: now,
      elapsed: await readStoreTime(trx, now),
      fields: JSON.stringify(fields),
      former: fields.length === 0 ? null : JSON.stringify(small),
    })
    .returning('position')
    .executeTakeFirstOrThrow();
  if (text !== undefined) await trx.insertInto('former_texts').values({ user_id: userId, position, text }).execute();
}

/** Fields that change while someone reads. */
const READING = ['readState', 'progress'];

/**
 * The given memories that have entries after a position, as the transaction sees them. Reading does not count:
 * otherwise a memory that is just being read could not be undone.
 */
export async function changedAfter(
  { trx, userId, isIn }: UserTransaction,
  memoryIds: readonly string[],
  position: number,
): Promise<Set<string>> {
  const rows = await trx
    .selectFrom('memory_history')
    .select(['memory_id', 'fields'])
    .where('user_id', '=', userId)
    .where(isIn('memory_id', memoryIds))
    .where('position', '>', position)
    .execute();
  const isReading = (fields: readonly string[]) =>
    fields.length > 0 && fields.every((field) => READING.includes(field));
  return new Set(rows.filter(({ fields }) => !isReading(fieldsOf(fields))).map(({ memory_id }) => memory_id));
}

/** Databases want a limit with an offset. */
const MAX_ENTRIES = 1_000_000;

/** Joins the replaced text of an entry. */
export const textOf =
  (userId: string) =>
  <Join extends JoinBuilder<Tables, 'memory_history' | 'former_texts'>>(join: Join) =>
    join.on('former_texts.user_id', '=', userId).onRef('former_texts.position', '=', 'memory_history.position');

/** The history of memories in a database, portable over dialects. */
export function createHistoryStore({ reader, isIn }: Database): HistoryStore {
  const entries = (userId: string) => reader.selectFrom('memory_history').where('memory_history.user_id', '=', userId);

  return {
    async ofMemory(userId, memoryId, limit) {
      const rows = await entries(userId)
        .selectAll()
        .select(({ selectFrom }) =>
          selectFrom('memory_history as entry')
            .select(({ fn }) => fn.countAll<number>().as('count'))
            .where('entry.user_id', '=', userId)
            .where('entry.memory_id', '=', memoryId)
            .as('total'),
        )
        .where('memory_id', '=', memoryId)
        .orderBy('position', 'desc')
        .limit(limit)
        .execute();
      return rows.map((row, index) => ({ ...toEntry(row), number: (row.total ?? 0) - index }));
    },

    async ofMemoryFrom(userId, memoryId, number) {
      const rows = await entries(userId)
        .selectAll()
        .where('memory_id', '=', memoryId)
        .orderBy('position')
        .limit(MAX_ENTRIES)
        .offset(number - 1)
        .execute();
      return rows.map((row, index) => ({ ...toEntry(row), number: number + index }));
    },

    async newestForgotten(userId, memoryId) {
      const ofMemory = entries(userId).where('memory_id', '=', memoryId);
      const newest = ofMemory
        .select(({ fn }) => fn.max('position').as('position'))
        .where('former', 'is', null)
        .where('fields', '<>', '[]');
      const { count } = await ofMemory
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('position', '<=', newest)
        .executeTakeFirstOrThrow();
      return Number(count);
    },

    async previousText(userId, position) {
      const row = await entries(userId)
        .innerJoin('former_texts', textOf(userId))
        .select('former_texts.text')
        .where('memory_history.position', '=', position)
        .executeTakeFirst();
      return row?.text ?? null;
    },

    async changesByPrefix(userId, prefix, limit) {
      const rows = await entries(userId)
        .select('change_id')
        .distinct()
        .where('change_id', '>=', prefix)
        .where('change_id', '<', afterPrefix(prefix))
        .orderBy('change_id')
        .limit(limit)
        .execute();
      const imports = await reader
        .selectFrom('imports')
        .select('id')
        .where('user_id', '=', userId)
        .where('id', '>=', prefix)
        .where('id', '<', afterPrefix(prefix))
        .orderBy('id')
        .limit(limit)
        .execute();
      // An import that only created memories has no entry.
      const ids = new Set([...rows.map(({ change_id }) => change_id), ...imports.map(({ id }) => id)]);
      return [...ids].sort().slice(0, limit);
    },

    async ofChange(userId, changeId) {
      const rows = await entries(userId)
        .select(['memory_id', 'position'])
        .where('change_id', '=', changeId)
        .orderBy('position', 'desc')
        .execute();
      // The first entry of a memory replaces its later ones.
      const first = new Map(rows.map(({ memory_id, position }) => [memory_id, position]));
      return [...first].map(([memoryId, position]) => ({ memoryId, position })).sort((a, b) => a.position - b.position);
    },

    async since(userId, memoryIds, position) {
      const rows = await entries(userId)
        .leftJoin('former_texts', textOf(userId))
        .selectAll('memory_history')
        .select('former_texts.text')
        .where(isIn('memory_id', memoryIds))
        .where('memory_history.position', '>=', position)
        .orderBy('memory_history.position')
        .execute();
      return rows.map(({ text, ...row }) => {
        const entry = toEntry(row);
        return text === null ? entry : { ...entry, before: { ...entry.before, text } };
      });
    },
  };
}

function toEntry(row: Selectable<Tables['memory_history']>): HistoryEntry {
  return {
    position: row.position,
    changeId: row.change_id,
    memoryId: row.memory_id,
    kind: row.kind,
    at: row.at,
    ...entryValues(row),
  };
}

/**
 * The JSON values of a history row. A value that the disk has damaged is left out:
 * it must not keep the history, or an export, from being read.
 */
export function entryValues(row: {
  actor: string | null;
  fields: string;
  former: string | null;
}): Pick<HistoryEntry, 'by' | 'fields' | 'before'> {
  return {
    by: readOrNull(row.actor) as HistoryEntry['by'],
    fields: fieldsOf(row.fields),
    before: readOrNull(row.former) as HistoryEntry['before'],
  };
}

/** The fields that a change replaced; none if they cannot be read. */
function fieldsOf(fields: string): HistoryEntry['fields'] {
  return readJson(fields, isTexts, []) as HistoryEntry['fields'];
}

function readOrNull(json: string | null): Record<string, unknown> | null {
  return json === null ? null : readJson(json, isObject, null);
}
