import type { MemoryFilter } from '@recollect/core';
import type { Kysely } from 'kysely';
import { hasFilter, matchingMemories } from '../../memories/filter.js';
import type { Tables } from '../../tables.js';

/** A subquery that lists the ids of the memories that meet a filter, with its parameters. */
export interface Condition {
  sql: string;
  parameters: readonly unknown[];
}

/** The condition of a filter; null without one. */
export function conditionOf(db: Kysely<Tables>, userId: string, filter: MemoryFilter): Condition | null {
  if (!hasFilter(filter)) return null;
  const { sql, parameters } = matchingMemories(db, userId, filter).compile();
  return { sql, parameters };
}
