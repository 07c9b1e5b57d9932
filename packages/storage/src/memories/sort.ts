import type { Sort } from '@recollect/contract';
import { foldWord } from '@recollect/contract/text';
import type { SortedPlace } from '@recollect/core';
import { type RawBuilder, type SqlBool, sql } from 'kysely';

interface Order {
  /** The sort key of memories; equal keys are sorted by id. An index has each key with the ids. */
  key: RawBuilder<string | number>;
  direction: 'asc' | 'desc';
}

/** Characters of a title that decide its place. */
const MAX_KEY_CHARACTERS = 100;
const capturedAt = sql<string>`memories.captured_at`;

/** The orders of a list of memories. */
export const orders: Readonly<Record<Sort, Order>> = {
  newest: { key: capturedAt, direction: 'desc' },
  oldest: { key: capturedAt, direction: 'asc' },
  opened: { key: sql<string>`coalesce(memories.opened_at, '')`, direction: 'desc' },
  title: { key: sql<string>`memories.title_key`, direction: 'asc' },
  longest: { key: sql<number>`memories.chunk_count`, direction: 'desc' },
};

/**
 * The key of a title for sorting and lookup, without case and accents. Stores have these keys: another way to fold
 * letters needs a migration.
 */
export function titleKey(title: string): string {
  const beginning = title.length > MAX_KEY_CHARACTERS ? [...title].slice(0, MAX_KEY_CHARACTERS).join('') : title;
  return foldWord(beginning.toWellFormed());
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
