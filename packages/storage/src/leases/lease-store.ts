import { type Lease, LeaseLostError, type LeaseStore } from '@recollect/core';
import { type Expression, type SqlBool, sql } from 'kysely';
import type { Database, Trx } from '../tables.js';
import type { Ticks } from '../time/ticks.js';

/** Leases in a database, portable over dialects. */
export function createLeaseStore({ writer }: Database, ticks: Ticks): LeaseStore {
  return {
    claim: (userId, name, milliseconds) =>
      writer.transaction().execute((trx) => claimLease(trx, { userId, name }, milliseconds, ticks())),

    async renew(lease, milliseconds) {
      const now = ticks();
      const { numUpdatedRows } = await held(writer.updateTable('leases'), lease, now)
        .set({ started: now, ends: now + milliseconds })
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    async release(lease) {
      await held(writer.updateTable('leases'), lease, ticks()).set({ ends: 0 }).execute();
    },
  };
}

/** Takes a lease within a transaction of somebody's own; null while somebody holds it. */
export async function claimLease(
  trx: Trx,
  { userId, name }: Omit<Lease, 'fence'>,
  milliseconds: number,
  now: number,
): Promise<Lease | null> {
  const claimed = await trx
    .insertInto('leases')
    .values({ user_id: userId, name, fence: 1, started: now, ends: now + milliseconds })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'name'])
        .doUpdateSet((eb) => ({ fence: eb('leases.fence', '+', 1), started: now, ends: now + milliseconds }))
        .where((eb) => eb.or([eb('leases.ends', '<=', now), eb('leases.started', '>', now)])),
    )
    .returning('fence')
    .executeTakeFirst();
  return claimed === undefined ? null : { userId, name, fence: claimed.fence };
}

/** Whether a lease is held; what is written in the same transaction is then written by its holder. */
export async function holdsLease(trx: Trx, { userId, name, fence }: Lease, now: number): Promise<boolean> {
  const row = await trx
    .selectFrom('leases')
    .select(['fence', 'started', 'ends'])
    .where('user_id', '=', userId)
    .where('name', '=', name)
    .executeTakeFirst();
  return row !== undefined && row.fence === fence && row.started <= now && now < row.ends;
}

/** The same, for what cannot go on without. Throws {@link LeaseLostError}. */
export async function checkLease(trx: Trx, lease: Lease, now: number): Promise<void> {
  if (!(await holdsLease(trx, lease, now))) throw new LeaseLostError();
}

/** The condition that nobody holds the lease of this user and name. */
export function isFree(userId: Expression<string>, name: Expression<string>, now: number) {
  return sql<SqlBool>`not exists (
    select 1 from leases l
    where l.user_id = ${userId} and l.name = ${name} and l.started <= ${now} and l.ends > ${now})`;
}

/** Gives a lease back, as the last thing of a transaction that has checked it. */
export async function releaseLease(trx: Trx, { userId, name }: Lease): Promise<void> {
  await trx.updateTable('leases').set({ ends: 0 }).where('user_id', '=', userId).where('name', '=', name).execute();
}

interface Narrowed<Self> {
  where(column: 'user_id' | 'name', operator: '=', value: string): Self;
  where(column: 'fence' | 'started' | 'ends', operator: '=' | '<=' | '>', value: number): Self;
}

/** Narrows an update to a lease that is still held. */
function held<Query extends Narrowed<Query>>(query: Query, { userId, name, fence }: Lease, now: number): Query {
  return query
    .where('user_id', '=', userId)
    .where('name', '=', name)
    .where('fence', '=', fence)
    .where('started', '<=', now)
    .where('ends', '>', now);
}
