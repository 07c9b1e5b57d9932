import type { IndexingJob, IndexingStatus } from '@recollect/contract';
import type { IndexingJobStore, LeaseStore } from '@recollect/core';
import { type SqlBool, sql } from 'kysely';
import type { Database } from '../dialect.js';
import { claimLease, holdsLease, isFree, leaseNames, leaseNamesInSql, releaseLease } from '../leases/lease-store.js';

import { latestPlausible } from '../time/store-time.js';
import { changeOpen, findOpen, type JobRow, openJob, queueIndexing } from './record-indexing.js';

/** Indexing jobs in a database, portable over dialects. A user has at most one that is not completed. */
export function createIndexingJobStore({ reader, transaction, clock }: Database, leases: LeaseStore): IndexingJobStore {
  return {
    async latest(userId) {
      // Ids of the same millisecond have no order, so the open job comes first.
      const row =
        (await findOpen(reader, userId)) ??
        (await reader
          .selectFrom('indexing_jobs')
          .selectAll()
          .where('user_id', '=', userId)
          .orderBy('id', 'desc')
          .limit(1)
          .executeTakeFirst());
      return row === undefined ? null : toJob(row);
    },

    queue: (userId, draft) =>
      transaction(userId, async (trx) => toJob(await queueIndexing(trx, userId, draft, new Date().toISOString()))),

    claim: (userId, leaseMs) =>
      transaction(userId, async (trx) => {
        const lease = await claimLease(trx, clock, { userId, name: leaseNames.indexing }, leaseMs);
        if (lease === null) return null;
        const now = new Date().toISOString();
        const open = await findOpen(trx, userId);
        const job =
          open === undefined
            ? await openJob(trx, userId, { status: 'pending', remaining: 0 }, now)
            : open.is_inline === 1
              ? await changeOpen(trx, open, { is_inline: 0 }, now)
              : open;
        return { ...lease, jobId: job.id, requests: job.requests };
      }),

    renew: (lease, leaseMs) => leases.renew(lease, leaseMs),
    release: (lease) => leases.release(lease),

    finish: (lease, { status, processed, remaining, model, error }, retryAfterMs) =>
      transaction(lease.userId, async (trx) => {
        const { userId, jobId, requests } = lease;
        if (!(await holdsLease(trx, clock, lease))) return null;
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
        .where((eb) => isFree(eb.ref('indexing_jobs.user_id'), leaseNamesInSql.indexing, clock))
        .orderBy('due_at', (order) => order.asc().nullsFirst())
        .limit(limit)
        .execute();
      return rows.map(({ user_id }) => user_id);
    },
  };
}

/**
 * The condition that a job is due. A blocked job waits for a process with a model, and only such a process asks. A job
 * with a timestamp in the future is also due: the clock has been set back since.
 */
function isDue(now: string) {
  return sql<SqlBool>`(status = 'blocked' or due_at <= ${now} or (due_at is not null and updated_at > ${latestPlausible(now)}))`;
}

function delayOf(
  status: IndexingStatus,
  failures: number,
  retryAfterMs: (tries: number) => number | null,
): number | null {
  if (status === 'failed') return retryAfterMs(failures);
  return status === 'blocked' ? null : 0;
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
