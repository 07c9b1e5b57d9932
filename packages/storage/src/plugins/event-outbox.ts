import {
  createId,
  type EventCounts,
  type EventOutbox,
  type Lease,
  LOCAL_USER,
  type OutboxEvent,
  type SavedMemory,
} from '@recollect/core';
import { type SqlBool, sql } from 'kysely';
import type { Database } from '../dialect.js';
import { checkLease, claimLease, isFree, leaseNames, leaseNamesInSql } from '../leases/lease-store.js';

import type { Trx } from '../tables.js';
import { latestPlausible } from '../time/store-time.js';

/** Events for plugins in a database, portable over dialects. */
export function createEventOutbox({ reader, writer, transaction, clock }: Database): EventOutbox {
  return {
    async waiting(now) {
      const firsts = reader
        .selectFrom('plugin_events')
        .select(({ fn }) => fn.min('position').as('position'))
        .where('is_parked', '=', 0)
        .groupBy(['user_id', 'slug']);
      return reader
        .selectFrom('plugin_events as e')
        .innerJoin('plugin_installations as p', 'p.slug', 'e.slug')
        .select(['e.user_id as userId', 'e.slug'])
        .where('e.position', 'in', firsts)
        .where('p.is_enabled', '=', 1)
        .where('p.suspended_at', 'is', null)
        .where(isDue(now))
        .where((eb) => isFree(eb.ref('e.user_id'), leaseNamesInSql.events(eb.ref('e.slug')), clock))
        .execute();
    },

    claim: (userId, slug, leaseMs) =>
      transaction(userId, (trx) => claimLease(trx, clock, { userId, name: leaseNames.events(slug) }, leaseMs)),

    async next(userId, slug, now) {
      const row = await reader
        .selectFrom('plugin_events')
        .select(['position', 'id', 'memory_id', 'created_at', isDue(now).as('isDue')])
        .where('user_id', '=', userId)
        .where('slug', '=', slug)
        .where('is_parked', '=', 0)
        .orderBy('position')
        .executeTakeFirst();
      if (row === undefined || !row.isDue) return null;
      return { position: row.position, id: row.id, memoryId: row.memory_id, time: row.created_at };
    },

    settle: (lease, event, wasDelivered = true) =>
      transaction(lease.userId, async (trx) => {
        await checkLease(trx, clock, lease);
        const settled = await trx
          .deleteFrom('plugin_events')
          .where(isEvent(lease, event))
          .returning('slug')
          .executeTakeFirst();
        if (settled === undefined || !wasDelivered) return;
        await trx
          .insertInto('plugin_told')
          .values({ user_id: lease.userId, slug: settled.slug, count: 1 })
          .onConflict((conflict) =>
            conflict.columns(['user_id', 'slug']).doUpdateSet((eb) => ({ count: eb('plugin_told.count', '+', 1) })),
          )
          .execute();
      }),

    fail: (lease, event, { error, now, retryAfterMs }) =>
      transaction(lease.userId, async (trx) => {
        await checkLease(trx, clock, lease);
        const row = await trx
          .selectFrom('plugin_events')
          .select('failures')
          .where(isEvent(lease, event))
          .executeTakeFirst();
        if (row === undefined) return;
        const failures = row.failures + 1;
        const delay = retryAfterMs(failures);
        await trx
          .updateTable('plugin_events')
          .set({
            failures,
            last_error: error,
            is_parked: delay === null ? 1 : 0,
            due_at: new Date(Date.parse(now) + (delay ?? 0)).toISOString(),
            set_at: now,
          })
          .where(isEvent(lease, event))
          .execute();
      }),

    async counts(userId) {
      const { rows } = await sql<EventCounts>`
        select p.slug, coalesce(t.count, 0) as told, coalesce(e.waiting, 0) as waiting, coalesce(e.parked, 0) as parked,
          (
            select n.due_at from plugin_events n
            where n.slug = p.slug and n.user_id = ${userId} and n.is_parked = 0 order by n.position limit 1
          ) as "nextAt",
          (
            select l.last_error from plugin_events l
            where l.slug = p.slug and l.user_id = ${userId} and l.last_error is not null
            order by l.set_at desc limit 1
          ) as "lastError",
          case when ${userId} = ${LOCAL_USER} then 1 else (
            select count(*) from plugin_uses u where u.user_id = ${userId} and u.slug = p.slug
          ) end as "isUsed"
        from plugin_installations p
        left join plugin_told t on t.user_id = ${userId} and t.slug = p.slug
        left join (
          select slug, sum(1 - is_parked) as waiting, sum(is_parked) as parked
          from plugin_events where user_id = ${userId} group by slug
        ) e on e.slug = p.slug
        order by p.slug`.execute(reader);
      return rows.map((row) => ({ ...row, isUsed: Number(row.isUsed) > 0 }));
    },

    setUse: (userId, slug, isUsed, now) =>
      transaction(userId, async (trx) => {
        const row = { user_id: userId, slug };
        if (isUsed) {
          const added = trx.insertInto('plugin_uses').values({ ...row, since: now });
          await added.onConflict((conflict) => conflict.columns(['user_id', 'slug']).doNothing()).execute();
          return;
        }
        for (const table of ['plugin_uses', 'plugin_events', 'plugin_schedules'] as const)
          await trx.deleteFrom(table).where('user_id', '=', userId).where('slug', '=', slug).execute();
      }),

    async requeue(slug, now) {
      await writer
        .updateTable('plugin_events')
        .set({ failures: 0, is_parked: 0, due_at: now, set_at: now, last_error: null })
        .where('slug', '=', slug)
        .execute();
    },
  };
}

/** The condition that a row is this event: by its key, because a queue may be long. */
function isEvent({ userId }: Lease, { position }: OutboxEvent) {
  return sql<SqlBool>`position = ${position} and user_id = ${userId}`;
}

/** An event with a timestamp in the future is also due: the clock has been set back since. */
function isDue(now: string) {
  return sql<SqlBool>`(due_at <= ${now} or set_at > ${latestPlausible(now)})`;
}

/**
 * Puts an event into the outbox for each memory that is new or has grown and each plugin that observes the captures of
 * its user.
 * Returns the number of events.
 */
export async function writeEvents(trx: Trx, userId: string, saved: readonly SavedMemory[], now: Date): Promise<number> {
  const changed = saved.filter(({ added }) => added.length > 0);
  const at = now.toISOString();
  // The local user uses every plugin that they have installed.
  const isUsed =
    userId === LOCAL_USER
      ? sql``
      : sql`and exists (select 1 from plugin_uses u where u.user_id = ${userId} and u.slug = p.slug)`;
  let count = 0n;
  for (const [index, memory] of changed.entries()) {
    // One statement per memory, and not built by Kysely, because every capture waits for it.
    const { numAffectedRows = 0n } = await sql`
      insert into plugin_events (user_id, slug, id, memory_id, failures, due_at, set_at, is_parked, created_at)
      select ${userId}, slug, ${createId(now, index)}, ${memory.id}, 0, ${at}, ${at}, 0, ${at}
      from plugin_installations as p
      where is_enabled = 1 and observes_captures = 1 ${isUsed}
      order by slug`.execute(trx);
    count += numAffectedRows;
  }
  return Number(count);
}

/** Milliseconds that an answer is cached: reading it after each commit took 3 % of a capture. */
const CACHE_MS = 100;

/** Whether any plugin observes captures; if none does, captures write no events. */
export interface Observers {
  /** A change by another process is seen a tenth of a second later. */
  exist(): Promise<boolean>;
  /** Drops the cached answer, because installations have changed. */
  invalidate(): void;
}

export function createObservers({ lookup }: Database): Observers {
  const first = lookup
    .selectFrom('plugin_installations')
    .select('slug')
    .where('is_enabled', '=', 1)
    .where('observes_captures', '=', 1)
    .limit(1)
    .compile();
  let cached: { exist: boolean; until: number } | null = null;

  return {
    async exist() {
      if (cached !== null && performance.now() < cached.until) return cached.exist;
      const { rows } = await lookup.executeQuery(first);
      cached = { exist: rows.length > 0, until: performance.now() + CACHE_MS };
      return cached.exist;
    },
    invalidate() {
      cached = null;
    },
  };
}
