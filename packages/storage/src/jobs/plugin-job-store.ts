import type { DueJob, JobRun, PluginJobStore, Schedule } from '@recollect/core';
import type { Kysely, Selectable } from 'kysely';
import type { Database } from '../dialect.js';
import { claimLease, holdsLease, isFree, leaseNames, leaseNamesInSql, releaseLease } from '../leases/lease-store.js';

import type { Tables, Trx } from '../tables.js';
import { latestPlausible } from '../time/store-time.js';

type ScheduleRow = Selectable<Tables['plugin_schedules']>;
type RunRow = Selectable<Tables['plugin_runs']>;

/** Schedules and runs in a database, portable over dialects. */
export function createPluginJobStore({ reader, writer, transaction, clock }: Database): PluginJobStore {
  return {
    async findSchedule(userId, slug, jobId) {
      const row = await scheduleOf(reader, userId, slug, jobId);
      return row === undefined ? null : toSchedule(row);
    },

    async listSchedules(userId) {
      const rows = await reader.selectFrom('plugin_schedules').selectAll().where('user_id', '=', userId).execute();
      return rows.map(toSchedule);
    },

    async saveSchedule(userId, { slug, jobId, enabled, intervalMinutes, nextRunAt }, now) {
      const values = {
        is_enabled: enabled ? 1 : 0,
        interval_minutes: intervalMinutes,
        next_run_at: nextRunAt,
        set_at: now,
      };
      await writer
        .insertInto('plugin_schedules')
        .values({ user_id: userId, slug, job_id: jobId, ...values })
        .onConflict((conflict) => conflict.columns(['user_id', 'slug', 'job_id']).doUpdateSet(values))
        .execute();
    },

    async due(now, { limit, userId }) {
      const rows = await reader
        .selectFrom('plugin_schedules as s')
        .innerJoin('plugin_installations as p', 'p.slug', 's.slug')
        .selectAll('s')
        .where('s.is_enabled', '=', 1)
        .where('p.is_enabled', '=', 1)
        .where('p.suspended_at', 'is', null)
        .where((eb) => eb.or([eb('s.next_run_at', '<=', now), eb('s.set_at', '>', latestPlausible(now))]))
        .where((eb) =>
          isFree(
            userId === null ? eb.ref('s.user_id') : eb.val(userId),
            leaseNamesInSql.job(eb.ref('s.slug'), eb.ref('s.job_id')),
            clock,
          ),
        )
        .$if(userId !== null, (query) => query.where('s.user_id', '=', userId ?? ''))
        .orderBy('s.next_run_at', (order) => order.asc().nullsFirst())
        .orderBy('s.slug')
        .orderBy('s.job_id')
        .limit(limit)
        .execute();
      return rows.map(
        (row): DueJob => ({ ...toSchedule(row), userId: row.user_id, nextRunAt: row.next_run_at ?? now }),
      );
    },

    claim: (userId, slug, jobId, { leaseMs, dueAt }) =>
      transaction(userId, async (trx) => {
        if (dueAt !== undefined) {
          const row = await scheduleOf(trx, userId, slug, jobId);
          if (row?.is_enabled !== 1 || row.next_run_at !== dueAt) return null;
        }
        return claimLease(trx, clock, { userId, name: leaseNames.job(slug, jobId) }, leaseMs);
      }),

    finish: (lease, run, { now, keep, advance }) =>
      transaction(lease.userId, async (trx) => {
        if (!(await holdsLease(trx, clock, lease))) return false;
        await insertRun(trx, lease.userId, run, keep);
        await releaseLease(trx, lease);
        const row = await scheduleOf(trx, lease.userId, run.slug, run.jobId);
        if (row === undefined) return null;
        const schedule = toSchedule(row);
        const nextRunAt = advance(schedule);
        if (nextRunAt === undefined) return schedule;
        // Written even if it is the same, because set_at changes.
        await trx
          .updateTable('plugin_schedules')
          .set({ next_run_at: nextRunAt, set_at: now })
          .where('user_id', '=', lease.userId)
          .where('slug', '=', run.slug)
          .where('job_id', '=', run.jobId)
          .execute();
        return { ...schedule, nextRunAt };
      }),

    record: (userId, run, keep) => transaction(userId, (trx) => insertRun(trx, userId, run, keep)),

    async runs(userId, slug, { jobId, limit }) {
      let query = reader.selectFrom('plugin_runs').selectAll().where('user_id', '=', userId).where('slug', '=', slug);
      if (jobId !== null) query = query.where('job_id', '=', jobId);
      const rows = await query.orderBy('position', 'desc').limit(limit).execute();
      return rows.map(toRun);
    },

    async lastRuns(userId) {
      const rows = await reader
        .selectFrom('plugin_runs')
        .selectAll()
        .where('user_id', '=', userId)
        .where('position', 'in', (eb) =>
          eb
            .selectFrom('plugin_runs')
            .select(({ fn }) => fn.max('position').as('position'))
            .where('user_id', '=', userId)
            .groupBy(['slug', 'job_id']),
        )
        .execute();
      return rows.map(toRun);
    },
  };
}

function scheduleOf(db: Kysely<Tables>, userId: string, slug: string, jobId: string): Promise<ScheduleRow | undefined> {
  return db
    .selectFrom('plugin_schedules')
    .selectAll()
    .where('user_id', '=', userId)
    .where('slug', '=', slug)
    .where('job_id', '=', jobId)
    .executeTakeFirst();
}

/** Keeps a run, and removes all but the job's newest `keep`. Does nothing once the plugin is uninstalled. */
async function insertRun(trx: Trx, userId: string, run: JobRun, keep: number): Promise<void> {
  const plugin = await trx
    .selectFrom('plugin_installations')
    .select('slug')
    .where('slug', '=', run.slug)
    .executeTakeFirst();
  if (plugin === undefined) return;
  await trx
    .insertInto('plugin_runs')
    .values({
      user_id: userId,
      id: run.id,
      slug: run.slug,
      job_id: run.jobId,
      cause: run.trigger,
      status: run.status,
      summary: run.summary,
      details: JSON.stringify(run.details),
      started_at: run.startedAt,
      finished_at: run.finishedAt,
    })
    .execute();
  const oldest = await ofJob(trx, userId, run)
    .select('position')
    .orderBy('position', 'desc')
    .offset(keep)
    .limit(1)
    .executeTakeFirst();
  if (oldest === undefined) return;
  await trx
    .deleteFrom('plugin_runs')
    .where('user_id', '=', userId)
    .where('slug', '=', run.slug)
    .where('job_id', '=', run.jobId)
    .where('position', '<=', oldest.position)
    .execute();
}

function ofJob(db: Kysely<Tables>, userId: string, { slug, jobId }: JobRun) {
  return db
    .selectFrom('plugin_runs')
    .where('user_id', '=', userId)
    .where('slug', '=', slug)
    .where('job_id', '=', jobId);
}

function toSchedule(row: ScheduleRow): Schedule {
  return {
    slug: row.slug,
    jobId: row.job_id,
    enabled: row.is_enabled === 1,
    intervalMinutes: row.interval_minutes,
    nextRunAt: row.next_run_at,
  };
}

function toRun(row: RunRow): JobRun {
  return {
    id: row.id,
    slug: row.slug,
    jobId: row.job_id,
    trigger: row.cause,
    status: row.status,
    summary: row.summary,
    details: JSON.parse(row.details),
    startedAt: row.started_at,
    finishedAt: row.finished_at,
  };
}
