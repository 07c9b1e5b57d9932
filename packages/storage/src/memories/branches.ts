import type { MemoryFilter } from '@recollect/core';
import { type Kysely, sql } from 'kysely';
import { blocksOf } from '../blocks.js';
import type { Tables } from '../tables.js';
import { hasFilter, matchingMemories } from './filter.js';
import { AFTER_SLASH, hasTag } from './tag-condition.js';

/** How many live memories that meet a filter have a tag of each branch, by the branches' keys. */
export async function countBranches(
  db: Kysely<Tables>,
  userId: string,
  branches: readonly string[],
  filter: MemoryFilter = {},
): Promise<Map<string, number>> {
  const count = (branch: string) => {
    const rows = db
      .selectFrom('memory_tags')
      .where('user_id', '=', userId)
      .where((eb) => hasTag(eb, branch))
      .select(({ fn }) => [named(branch), fn.count<number>('memory_id').distinct().as('count')]);
    return hasFilter(filter) ? rows.where('memory_id', 'in', matchingMemories(db, userId, filter)) : rows;
  };
  const counts = new Map<string, number>();
  for (const [first, ...others] of blocksOf(branches)) {
    if (first === undefined) continue;
    const all = others.reduce((union, branch) => union.unionAll(count(branch)), count(first));
    for (const row of await all.execute()) counts.set(row.branch, row.count);
  }
  return counts;
}

/** Finds the keys, among those given, of tags with tags below them. */
export async function findBranches(db: Kysely<Tables>, userId: string, keys: readonly string[]): Promise<string[]> {
  const below = (key: string) =>
    db
      .selectFrom('memory_tags')
      .where('user_id', '=', userId)
      .where('key', '>=', `${key}/`)
      .where('key', '<', `${key}${AFTER_SLASH}`)
      .select(({ fn }) => [named(key), fn.min<string | null>('key').as('below')]);
  const branches: string[] = [];
  for (const [first, ...others] of blocksOf(keys)) {
    if (first === undefined) continue;
    const all = others.reduce((union, key) => union.unionAll(below(key)), below(first));
    for (const row of await all.execute()) if (row.below !== null) branches.push(row.branch);
  }
  return branches;
}

/** A text as a column: in a union, PostgreSQL does not know the type of a parameter. */
function named(branch: string) {
  return sql<string>`cast(${branch} as text)`.as('branch');
}
