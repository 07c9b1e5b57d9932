import type { Sort } from '@recollect/contract';
import type { SortedPlace } from '@recollect/core';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { SqlDialect } from '../dialect.js';

interface Order {
  /** What memories are sorted by; those with the same key by their ids. */
  key: RawBuilder<string | number>;
  direction: 'asc' | 'desc';
}

/** Characters of a title that decide its place. */
const BEGINNING = 100;
const capturedAt = sql<string>`memories.captured_at`;
const chunkCount = sql<number>`(select count(*) from chunks where chunks.user_id = memories.user_id and chunks.memory_id = memories.id)`;

/** The orders of a list of memories. */
export function createOrders({ sortKey }: Pick<SqlDialect, 'sortKey'>): Readonly<Record<Sort, Order>> {
  const title = sortKey(sql<string>`substr(memories.title, 1, ${sql.lit(BEGINNING)})`);
  return {
    newest: { key: capturedAt, direction: 'desc' },
    oldest: { key: capturedAt, direction: 'asc' },
    opened: { key: sql<string>`coalesce(memories.opened_at, '')`, direction: 'desc' },
    title: { key: title, direction: 'asc' },
    longest: { key: chunkCount, direction: 'desc' },
  };
}

/** The condition that a memory comes after a place. */
export function isAfter(
  key: Order['key'],
  direction: Order['direction'],
  place: SortedPlace | null,
): RawBuilder<SqlBool> {
  const { key: last, id } = place ?? { key: '', id: '' };
  return sql<SqlBool>`(${key}, memories.id) ${sql.raw(direction === 'desc' ? '<' : '>')} (${last}, ${id})`;
}
