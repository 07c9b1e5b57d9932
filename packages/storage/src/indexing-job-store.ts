import type { IndexingJob, IndexingStatus } from '@recollect/contract';
import { createId, type IndexingDraft, type IndexingJobStore, type LeaseStore } from '@recollect/core';
import { type Selectable, type SqlBool, sql, type Updateable } from 'kysely';
import { claimLease, holdsLease, isFree, releaseLease } from './lease-store.js';
import { latestWritten } from './put-back.js';
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
        // Ids of one millisecond have no order, so the open job is looked for first.
        .orderBy(sql`status = 'completed'`)
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
        const open = await findOpen(trx, userId);
        const job =
          open === undefined
            ? await openJob(trx, userId, { status: 'pending', remaining: 0 }, now)
            : await changeOpen(trx, open, { is_inline: 0 }, now);
        return { ...lease, jobId: job.id, requests: job.requests };
      }),

    renew: (lease, leaseMs) => leases.renew(lease, leaseMs),
    release: (lease) => leases.release(lease),

    finish: (lease, { status, processed, remaining, model, error }, retryAfterMs) =>
      inTransaction(async (trx) => {
        const { userId, jobId, requests } = lease;
        if (!(await holdsLease(trx, lease, ticks()))) return null;
        const job = await findOpen(trx, userId);
        if (job?.id !== jobId) {
          await releaseLease(trx, lease);
          return null;
        }
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
        .where(isDue(new Date().toISOString()))
        .where(isFree(sql.ref('indexing_jobs.user_id'), sql.val(LEASE), ticks()))
        .orderBy('due_at')
        .limit(limit)
        .execute();
      return rows.map(({ user_id }) => user_id);
    },
  };
}

/**
 * The condition that a job may be taken up. A blocked one waits for a process that has a model, which is the one that asks; one
 * that was written in the future is due too, since the clock has been put back.
 */
function isDue(now: string) {
  return sql<SqlBool>`(status = 'blocked' or due_at <= ${now} or (due_at is not null and updated_at > ${latestWritten(now)}))`;
}

interface Draft {
  status: IndexingStatus;
  remaining: number;
  error?: string;
  dueAt?: string;
  isInline?: boolean;
}

/** Opens a job, or takes the open one, in the caller's transaction. */
async function queueIndexing(trx: Trx, userId: string, draft: Draft, now: string): Promise<IndexingJob> {
  const open = await findOpen(trx, userId);
  if (open === undefined) return toJob(await openJob(trx, userId, draft, now));
  const state =
    draft.status === 'blocked' ? {} : { status: draft.status, error: draft.error ?? null, due_at: dueAtOf(draft, now) };
  return toJob(
    await changeOpen(
      trx,
      open,
      { ...state, is_inline: 0, remaining_count: draft.remaining, requests: open.requests + 1 },
      now,
    ),
  );
}

/** Records in the transaction of a change that so many more memories lack embeddings: in the open job, or in one that is opened. */
export async function addIndexing(
  trx: Trx,
  userId: string,
  draft: IndexingDraft,
  memories: number,
  now: string,
): Promise<string> {
  const open = await findOpen(trx, userId);
  if (open === undefined) {
    const opened = { ...draft, remaining: memories, isInline: draft.dueAt !== undefined };
    return (await openJob(trx, userId, opened, now)).id;
  }
  const dueAt = dueAtOf(draft, now);
  const isSooner = open.due_at === null || (dueAt !== null && dueAt < open.due_at);
  const state =
    draft.status === 'blocked' ? {} : { status: draft.status, error: null, ...(isSooner ? { due_at: dueAt } : {}) };
  const isInline = open.is_inline === 1 && draft.dueAt !== undefined;
  const remaining = open.remaining_count + memories;
  const counts = { remaining_count: remaining, requests: open.requests + 1, is_inline: isInline ? 1 : 0 };
  return (await changeOpen(trx, open, { ...state, ...counts }, now)).id;
}

/**
 * Takes memories off a job that stands for inline embedding alone, in the transaction that stores their last embeddings, and
 * removes it with the last of them, so that the last backfill stays the latest job. Its count is exact: each change that is
 * embedded inline adds to it and takes off again, or leaves it as it is. Any other job is closed by a runner, which looks at
 * what lacks embeddings.
 */
export async function settleIndexing(
  trx: Trx,
  userId: string,
  { jobId, memories, now }: { jobId: string; memories: number; now: string },
): Promise<void> {
  const open = await findOpen(trx, userId);
  if (open?.id !== jobId || open.is_inline === 0) return;
  const remaining = open.remaining_count - memories;
  if (remaining > 0) {
    await changeOpen(trx, open, { remaining_count: remaining }, now);
    return;
  }
  await trx.deleteFrom('indexing_jobs').where('user_id', '=', userId).where('id', '=', open.id).execute();
}

function changeOpen(
  trx: Trx,
  { user_id, id }: JobRow,
  change: Updateable<Tables['indexing_jobs']>,
  now: string,
): Promise<JobRow> {
  return trx
    .updateTable('indexing_jobs')
    .set({ ...change, updated_at: now })
    .where('user_id', '=', user_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
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
      is_inline: draft.isInline === true ? 1 : 0,
      due_at: dueAtOf(draft, now),
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** A blocked job waits for a configuration, not for a time. */
function dueAtOf({ status, dueAt }: Omit<Draft, 'remaining'>, now: string): string | null {
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
