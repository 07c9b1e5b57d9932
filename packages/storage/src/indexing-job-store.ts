import type { IndexingJob, IndexingStatus } from '@recollect/contract';
import { createId, type IndexingJobStore, type LeaseStore } from '@recollect/core';
import { type Selectable, sql } from 'kysely';
import { claimLease, holdsLease, isFree, releaseLease } from './lease-store.js';
import type { Database, Tables, Trx } from './tables.js';
import type { Ticks } from './ticks.js';

const LEASE = 'indexing';

type JobRow = Selectable<Tables['indexing_jobs']>;

/** Indexing jobs in a database, portable over dialects. A user has at most one that is not completed. */
export function createIndexingJobStore(
  { reader, writer }: Database,
  leases: LeaseStore,
  ticks: Ticks,
): IndexingJobStore {
  const inTransaction = <T>(work: (trx: Trx) => Promise<T>) => writer.transaction().execute(work);

  return {
    async latest(userId) {
      const row = await reader
        .selectFrom('indexing_jobs')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy('id', 'desc')
        .executeTakeFirst();
      return row === undefined ? null : toJob(row);
    },

    queue: (userId, draft) => inTransaction((trx) => queueIndexing(trx, userId, draft, new Date().toISOString())),

    claim: (userId, leaseMs) =>
      inTransaction(async (trx) => {
        const lease = await claimLease(trx, { userId, name: LEASE }, leaseMs, ticks());
        if (lease === null) return null;
        const now = new Date().toISOString();
        const job =
          (await findOpen(trx, userId)) ?? (await openJob(trx, userId, { status: 'pending', remaining: 0 }, now));
        return { ...lease, jobId: job.id, requests: job.requests };
      }),

    renew: (lease, leaseMs) => leases.renew(lease, leaseMs),
    release: (lease) => leases.release(lease),

    finish: (lease, { status, processed, remaining, model, error }, retryAfterMs) =>
      inTransaction(async (trx) => {
        const { userId, jobId, requests } = lease;
        if (!(await holdsLease(trx, lease, ticks()))) return null;
        const job = await findOpen(trx, userId);
        if (job?.id !== jobId) return null;
        const now = new Date();
        const failures = status === 'failed' ? job.failures + 1 : 0;
        const delay = delayOf(status, failures, retryAfterMs);
        const isQueuedAgain = status === 'completed' && job.requests !== requests;
        const changed = await trx
          .updateTable('indexing_jobs')
          .set({
            status: isQueuedAgain ? 'pending' : status,
            failures,
            remaining_count: isQueuedAgain ? job.remaining_count : remaining,
            processed_count: job.processed_count + processed,
            model,
            error,
            due_at: delay === null ? null : later(now, delay),
            updated_at: now.toISOString(),
          })
          .where('user_id', '=', userId)
          .where('id', '=', jobId)
          .returningAll()
          .executeTakeFirstOrThrow();
        await releaseLease(trx, lease);
        return toJob(changed);
      }),

    async due(limit) {
      const rows = await reader
        .selectFrom('indexing_jobs')
        .select('user_id')
        .where('status', '<>', 'completed')
        .where('due_at', '<=', new Date().toISOString())
        .where(isFree(sql.ref('indexing_jobs.user_id'), sql.val(LEASE), ticks()))
        .orderBy('due_at')
        .limit(limit)
        .execute();
      return rows.map(({ user_id }) => user_id);
    },
  };
}

interface Draft {
  status: IndexingStatus;
  remaining: number;
  error?: string;
  dueAt?: string;
  /** Whether `remaining` comes on top of what the open job has left. */
  addsToRemaining?: boolean;
}

/** Opens a job or takes the open one, within a transaction of somebody's own. */
export async function queueIndexing(trx: Trx, userId: string, draft: Draft, now: string): Promise<IndexingJob> {
  const open = await findOpen(trx, userId);
  if (open === undefined) return toJob(await openJob(trx, userId, draft, now));
  const row = await trx
    .updateTable('indexing_jobs')
    .set({
      status: draft.status,
      remaining_count: draft.remaining + (draft.addsToRemaining === true ? open.remaining_count : 0),
      error: draft.error ?? null,
      due_at: dueAtOf(draft, now),
      requests: open.requests + 1,
      updated_at: now,
    })
    .where('user_id', '=', userId)
    .where('id', '=', open.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return toJob(row);
}

function openJob(trx: Trx, userId: string, draft: Draft, now: string): Promise<JobRow> {
  return trx
    .insertInto('indexing_jobs')
    .values({
      user_id: userId,
      id: createId(new Date(now)),
      status: draft.status,
      remaining_count: draft.remaining,
      processed_count: 0,
      model: null,
      error: draft.error ?? null,
      failures: 0,
      requests: 0,
      due_at: dueAtOf(draft, now),
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** A blocked job waits for a configuration, not for a time. */
function dueAtOf({ status, dueAt }: Draft, now: string): string | null {
  return status === 'blocked' ? null : (dueAt ?? now);
}

function delayOf(
  status: IndexingStatus,
  failures: number,
  retryAfterMs: (tries: number) => number | null,
): number | null {
  if (status === 'failed') return retryAfterMs(failures);
  return status === 'blocked' ? null : 0;
}

function findOpen(trx: Trx, userId: string): Promise<JobRow | undefined> {
  return trx
    .selectFrom('indexing_jobs')
    .selectAll()
    .where('user_id', '=', userId)
    .where('status', '<>', 'completed')
    .executeTakeFirst();
}

function toJob(row: JobRow): IndexingJob {
  return {
    id: row.id,
    status: row.status,
    remainingCount: row.remaining_count,
    processedCount: row.processed_count,
    model: row.model,
    error: row.error,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

function later(from: Date, milliseconds: number): string {
  return new Date(from.getTime() + milliseconds).toISOString();
}
