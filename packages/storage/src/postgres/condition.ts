import type { MemoryFilter } from '@recollect/core';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { hasFilter, matchingMemories } from '../memories/filter.js';
import type { Tables } from '../tables.js';

/** A subquery that lists the ids of the memories that a search is limited to. */
export type Condition = RawBuilder<unknown>;

/** The condition of a filter; null without one. */
export function conditionOf(db: Kysely<Tables>, userId: string, filter: MemoryFilter): Condition | null {
  return hasFilter(filter) ? sql`${matchingMemories(db, userId, filter)}` : null;
}

/** The condition that a chunk `c` is in such a memory, to be added to others. */
export function isWithin(within: Condition | null): RawBuilder<unknown> {
  return within === null ? sql`` : sql`and c.memory_id in (${within})`;
}
