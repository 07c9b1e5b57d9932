import type { ClientKind } from '@recollect/contract';
import { type MemoryFilter, valuesOf } from '@recollect/core';
import { type Expression, type ExpressionBuilder, type Kysely, type SqlBool, sql } from 'kysely';
import type { Tables } from '../tables.js';
import { hasTag } from './tag-condition.js';

type Excluded = NonNullable<MemoryFilter['not']>;

/** Whether a filter has any condition. */
export function hasFilter(filter: MemoryFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined);
}

/** The condition that a live memory of the user meets a filter. */
export function meetsFilter(userId: string, filter: MemoryFilter) {
  return (eb: ExpressionBuilder<Tables, 'memories'>): Expression<SqlBool> => {
    const { since, until, not = {} } = filter;
    const conditions: Expression<SqlBool>[] = [eb('user_id', '=', userId), eb('deleted_at', 'is', null)];
    if (since !== undefined) conditions.push(eb('captured_at', '>=', since));
    if (until !== undefined) conditions.push(eb('captured_at', '<', until));
    const { tag, ...facts } = valuesIn(eb, userId, filter);
    for (const values of Object.values(facts)) if (values.length > 0) conditions.push(eb.or(values));
    conditions.push(...tag);
    // A memory without a site is not of the excluded one, although the comparison gives null.
    for (const value of Object.values(valuesIn(eb, userId, not)).flat()) conditions.push(sql`${value} is not true`);
    return eb.and(conditions);
  };
}

/** For each field, the conditions that a memory has one of the given values. */
function valuesIn(
  eb: ExpressionBuilder<Tables, 'memories'>,
  userId: string,
  { sourceType, readState, place, by, site, tag, starred, link }: Excluded,
): Record<keyof Excluded, Expression<SqlBool>[]> {
  const tagged = (tag: string) =>
    eb
      .selectFrom('memory_tags')
      .select('memory_id')
      .where('user_id', '=', userId)
      .where((rows) => hasTag(rows, tag));
  return {
    sourceType: valuesOf(sourceType).map((value) => eb('source_type', '=', value)),
    readState: valuesOf(readState).map((value) => eb('read_state', '=', value)),
    // A literal, so that the planner sees that a partial index covers it.
    place: valuesOf(place).map((value) => eb('place', '=', sql.lit(value))),
    by: valuesOf(by).map((value) => savedBy(eb, value)),
    site: valuesOf(site).map((value) => eb.or([eb('site', '=', value), isSubdomain(eb, value)])),
    tag: valuesOf(tag).map((value) => eb('id', 'in', tagged(value))),
    starred: starred === undefined ? [] : [eb('starred', '=', starred ? 1 : 0)],
    link: link === undefined ? [] : [eb('is_link', '=', link ? 1 : 0)],
  };
}

/** The condition that a kind of client, one assistant or plugin, those without a name, or an API key saved a memory. */
function savedBy(eb: ExpressionBuilder<Tables, 'memories'>, by: string): Expression<SqlBool> {
  const [kind = '', ...rest] = by.split(':');
  const name = rest.join(':');
  if (kind === 'key') return eb('client_key', '=', name);
  const isClient = eb('client', '=', kind as ClientKind);
  if (rest.length === 0) return isClient;
  return eb.and([isClient, name === '' ? eb('client_name', 'is', null) : eb('client_name', '=', name)]);
}

/**
 * The ids of the live memories that meet a filter, as a subquery.
 *
 * @example
 * sql`select id from chunks where memory_id in (${matchingMemories(reader, userId, { tag: 'tea' })})`;
 */
export function matchingMemories(db: Kysely<Tables>, userId: string, filter: MemoryFilter) {
  return db.selectFrom('memories').select('id').where(meetsFilter(userId, filter));
}

/** The condition that a memory's site ends in a dot and the given site. */
function isSubdomain(eb: ExpressionBuilder<Tables, 'memories'>, site: string) {
  const ending = `.${site}`;
  const start = sql<number>`length(${eb.ref('site')}) - ${sql.lit(ending.length - 1)}`;
  return eb(eb.fn<string>('substr', ['site', start]), '=', ending);
}
