import { type Lease, LeaseLostError, type LeaseStore } from '@recollect/core';
import { type Expression, type SqlBool, sql } from 'kysely';
import type { Database, SqlDialect } from '../dialect.js';
import { startsWith } from '../starts-with.js';
import type { Trx } from '../tables.js';

type LeaseClock = SqlDialect['clock'];

/** Leases in a database, portable over dialects. */
export function createLeaseStore({ writer, transaction, clock }: Database): LeaseStore {
  return {
    claim: (userId, name, milliseconds) =>
      transaction(userId, (trx) => claimLease(trx, clock, { userId, name }, milliseconds)),

    async renew(lease, milliseconds) {
      const { numUpdatedRows } = await held(writer.updateTable('leases'), clock, lease)
        .set({ started: clock(), ends: clock(milliseconds) })
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    async release(lease) {
      await held(writer.updateTable('leases'), clock, lease).set({ ends: 0 }).execute();
    },
  };
}

/** Claims a lease in the caller's transaction; null while another runner holds it. */
export async function claimLease(
  trx: Trx,
  clock: LeaseClock,
  { userId, name }: Omit<Lease, 'fence'>,
  milliseconds: number,
): Promise<Lease | null> {
  const claimed = await trx
    .insertInto('leases')
    .values({ user_id: userId, name, fence: 1, started: clock(), ends: clock(milliseconds) })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'name'])
        // Citus accepts no clock here, so the instants of the rejected row are used.
        .doUpdateSet((eb) => ({
          fence: eb('leases.fence', '+', 1),
          started: eb.ref('excluded.started'),
          ends: eb.ref('excluded.ends'),
        }))
        .where((eb) =>
          eb.or([
            eb('leases.ends', '<=', eb.ref('excluded.started')),
            eb('leases.started', '>', eb.ref('excluded.started')),
          ]),
        ),
    )
    .returning('fence')
    .executeTakeFirst();
  return claimed === undefined ? null : { userId, name, fence: claimed.fence };
}

/** Whether the caller still has its lease. Check it in the transaction that writes. */
export async function holdsLease(trx: Trx, clock: LeaseClock, lease: Lease): Promise<boolean> {
  const row = await held(trx.selectFrom('leases').select('fence'), clock, lease).executeTakeFirst();
  return row !== undefined;
}

/** Throws {@link LeaseLostError} unless the caller has the lease. */
export async function checkLease(trx: Trx, clock: LeaseClock, lease: Lease): Promise<void> {
  if (!(await holdsLease(trx, clock, lease))) throw new LeaseLostError();
}

/** The condition that no runner holds the lease of this user and name. */
export function isFree(userId: Expression<string>, name: Expression<string>, clock: LeaseClock) {
  return sql<SqlBool>`not exists (
    select 1 from leases l
    where l.user_id = ${userId} and l.name = ${name} and l.started <= ${clock()} and l.ends > ${clock()})`;
}

/** Releases a lease as the last step of a transaction that has checked it. */
export async function releaseLease(trx: Trx, { userId, name }: Lease): Promise<void> {
  await trx.updateTable('leases').set({ ends: 0 }).where('user_id', '=', userId).where('name', '=', name).execute();
}

interface Narrowed<Self> {
  where(column: 'user_id' | 'name', operator: '=', value: string): Self;
  where(column: 'fence', operator: '=', value: number): Self;
  where(column: 'started' | 'ends', operator: '<=' | '>', value: Expression<number>): Self;
}

/** Narrows a query to a lease that is still held. */
function held<Query extends Narrowed<Query>>(query: Query, clock: LeaseClock, { userId, name, fence }: Lease): Query {
  return query
    .where('user_id', '=', userId)
    .where('name', '=', name)
    .where('fence', '=', fence)
    .where('started', '<=', clock())
    .where('ends', '>', clock());
}

/** The names of leases: as values to claim them by, and as SQL to ask which rows are free. */
export const leaseNames = {
  indexing: 'indexing',
  events: (slug: string) => `events:${slug}`,
  job: (slug: string, jobId: string) => `job:${slug}/${jobId}`,
};

export const leaseNamesInSql = {
  indexing: sql.lit(leaseNames.indexing),
  events: (slug: Expression<string>) => sql<string>`'events:' || ${slug}`,
  job: (slug: Expression<string>, jobId: Expression<string>) => sql<string>`'job:' || ${slug} || '/' || ${jobId}`,
};

/** The condition that a lease name belongs to a plugin: to its events or to one of its jobs. */
export function isOfPlugin(name: Expression<string>, slug: string) {
  return sql<SqlBool>`(${name} = ${leaseNames.events(slug)} or ${startsWith(name, leaseNames.job(slug, ''))})`;
}
