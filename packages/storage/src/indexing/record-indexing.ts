import type { IndexingStatus } from '@recollect/contract';
import { createId, type IndexingDraft, type Settlement } from '@recollect/core';
import type { Kysely, Selectable, Updateable } from 'kysely';
import { enqueue } from '../enqueue.js';
import type { Tables, Trx } from '../tables.js';
import type { UserTransaction } from '../user-transaction.js';

export type JobRow = Selectable<Tables['indexing_jobs']>;

interface Draft {
  status: IndexingStatus;
  remaining: number;
  error?: string | undefined;
  dueAt?: string | undefined;
  isInline?: boolean | undefined;
}

/** Opens a job or requeues the open one, in the caller's transaction. */
export async function queueIndexing(trx: Trx, userId: string, draft: Draft, now: string): Promise<JobRow> {
  const open = await findOpen(trx, userId);
  if (open === undefined) return openJob(trx, userId, draft, now);
  const state =
    draft.status === 'blocked' ? {} : { status: draft.status, error: draft.error ?? null, due_at: dueAtOf(draft, now) };
  return changeOpen(
    trx,
    open,
    { ...state, is_inline: 0, remaining_count: draft.remaining, requests: open.requests + 1 },
    now,
  );
}

/**
 * Records, in the transaction of a change, that `memories` more memories lack embeddings: in the open job, or in a new
 * one. Returns the job's id.
 */
export async function addIndexing(
  { trx, userId, now }: UserTransaction,
  draft: IndexingDraft,
  memories: number,
): Promise<string> {
  const open = await findOpen(trx, userId);
  if (open === undefined) {
    const opened = { ...draft, remaining: memories, isInline: draft.dueAt !== undefined };
    return (await openJob(trx, userId, opened, now)).id;
  }
  const dueAt = dueAtOf(draft, now);
  const isSooner = open.due_at === null || (dueAt !== null && dueAt < open.due_at);
  const state =
    draft.status === 'blocked' ? {} : { status: draft.status, error: null, due_at: isSooner ? dueAt : open.due_at };
  const isInline = open.is_inline === 1 && draft.dueAt !== undefined;
  const remaining = open.remaining_count + memories;
  const counts = { remaining_count: remaining, requests: open.requests + 1, is_inline: isInline ? 1 : 0 };
  await enqueue(trx, changeOf(trx, open, { ...state, ...counts }, now));
  return open.id;
}

/**
 * Takes memories off a job that covers only inline embedding, in the transaction that stores their last embeddings.
 * Removes the job with the last of them, so that the last backfill stays the latest job. The count is exact: each
 * change adds its memories once and settles them at most once. Any other job is completed by a runner, which checks for
 * missing embeddings.
 */
export async function settleIndexing(
  { trx, userId, now }: UserTransaction,
  { jobId, memories }: Settlement,
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

/** Changes an open job. */
export function changeOpen(...change: Parameters<typeof changeOf>): Promise<JobRow> {
  return changeOf(...change)
    .returningAll()
    .executeTakeFirstOrThrow();
}

function changeOf(trx: Trx, { user_id, id }: JobRow, change: Updateable<Tables['indexing_jobs']>, now: string) {
  return trx
    .updateTable('indexing_jobs')
    .set({ ...change, updated_at: now })
    .where('user_id', '=', user_id)
    .where('id', '=', id);
}

/** Opens a job for a user who has no open one. */
export function openJob(trx: Trx, userId: string, draft: Draft, now: string): Promise<JobRow> {
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

/** The user's job that is not completed; there is at most one. */
export function findOpen(trx: Kysely<Tables>, userId: string): Promise<JobRow | undefined> {
  return trx
    .selectFrom('indexing_jobs')
    .selectAll()
    .where('user_id', '=', userId)
    .where('status', '<>', 'completed')
    .executeTakeFirst();
}
