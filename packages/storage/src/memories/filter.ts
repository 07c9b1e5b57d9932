import type { MemoryFilter } from '@recollect/core';
import { type Expression, type ExpressionBuilder, type Kysely, type SqlBool, sql } from 'kysely';
import type { Tables } from '../tables.js';

export function hasFilter(filter: MemoryFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined);
}

/** The condition that a live memory of the user meets a filter. */
export function meetsFilter(userId: string, filter: MemoryFilter) {
  return (eb: ExpressionBuilder<Tables, 'memories'>): Expression<SqlBool> => {
    const { sourceType, site, tag, since, until } = filter;
    const conditions: Expression<SqlBool>[] = [eb('user_id', '=', userId), eb('deleted_at', 'is', null)];
    if (sourceType !== undefined) conditions.push(eb('source_type', '=', sourceType));
    if (since !== undefined) conditions.push(eb('captured_at', '>=', since));
    if (until !== undefined) conditions.push(eb('captured_at', '<', until));
    if (site !== undefined) {
      const isSubdomain = sql<SqlBool>`substr(site, -${sql.lit(site.length + 1)}) = ${`.${site}`}`;
      conditions.push(eb.or([eb('site', '=', site), isSubdomain]));
    }
    if (tag !== undefined) {
      conditions.push(
        eb(
          'id',
          'in',
          eb.selectFrom('memory_tags').select('memory_id').where('user_id', '=', userId).where('tag', '=', tag),
        ),
      );
    }
    return eb.and(conditions);
  };
}

/** The ids of the live memories that meet a filter, as a subquery. */
export function matchingMemories(db: Kysely<Tables>, userId: string, filter: MemoryFilter) {
  return db.selectFrom('memories').select('id').where(meetsFilter(userId, filter));
}
