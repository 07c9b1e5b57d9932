import type { IndexingJob, IndexingStatus, QueuedAnswer, ReindexAnswer, ReindexState } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { RecollectError } from '../error.js';
import type { CorePorts } from '../ports/core-ports.js';
import type { IndexingLease, PendingChunk } from '../ports/index.js';
import { keepLease, releaseLease } from '../runners/keep-lease.js';
import { retryDelay } from '../runners/retry-delay.js';
import { embedChunks } from './embed-chunks.js';
import { findAcceptable } from './find-acceptable.js';
import { requiredVectors } from './indexing-draft.js';
import { type BatchOutcome, estimateSeconds, indexingStatus, speedOf } from './indexing-status.js';
import { createRejections, type Rejections } from './rejections.js';

/** Milliseconds that a call waits for another process's batch before it answers that one is running. */
const WAIT_LIMIT_MS = 20_000;
const POLL_INTERVAL_MS = 40;

interface ReindexOptions {
  /** Memories in the batch. */
  batchSize?: number | undefined;
  signal?: AbortSignal | undefined;
  /** Called after each group with the number of chunks that were embedded. */
  onProgress?: ((chunks: number) => void) | undefined;
  /** Waits after so many milliseconds of work, for work that leaves the machine to others. */
  rest?: ((worked: number) => Promise<void>) | undefined;
}

export type IndexingPorts = Pick<CorePorts, 'memories' | 'indexingJobs' | 'textIndex' | 'embeddingModel'>;

export interface Indexing {
  state(userId: string): Promise<ReindexState>;
  /** Embeds one batch of memories. Concurrent calls take turns, in all processes, and embed nothing twice (IDX-5). */
  reindex(userId: string, options?: ReindexOptions): Promise<ReindexAnswer>;
  /** How many chunks lack embeddings of the current model, for a progress bar. */
  countMissingChunks(userId: string): Promise<number>;
  /** Queues the work for a runner. */
  queue(userId: string): Promise<QueuedAnswer>;
  /** Runs one batch of each job that is due. Returns how many jobs ran, and how many of them have more to do. */
  runDue(options?: Omit<ReindexOptions, 'onProgress'>): Promise<{ jobs: number; pending: number }>;
  /**
   * Queues a job for every user whose memories lack embeddings, as after a crash or a change of model. Makes a failed
   * job due again, unless `keepsOpenJobs`.
   */
  queueMissing(options?: { keepsOpenJobs?: boolean | undefined }): Promise<void>;
  /**
   * Removes the embeddings of all other models, for users whose memories all have this model's. Only for processes
   * whose model is the deployment's: a process that was started with another one by mistake must not do this.
   */
  removePrevious(options?: { signal?: AbortSignal | undefined }): Promise<void>;
  /**
   * Removes the words that only deleted memories had from those that queries are corrected to, in short steps.
   *
   * @param options.rest awaited before each step
   */
  forgetWords(options?: { signal?: AbortSignal | undefined; rest?: (() => Promise<void>) | undefined }): Promise<void>;
  /**
   * Runs one short step of merging the text index, which makes searches by word faster. Returns whether more is left to
   * merge.
   */
  mergeText(): Promise<boolean>;
}

/**
 * Makes the use cases that backfill missing embeddings.
 *
 * @example
 * const indexing = createIndexing({ ...storage, embeddingModel });
 * while ((await indexing.reindex('local')).status === 'pending');
 */
export function createIndexing(ports: IndexingPorts): Indexing {
  const { memories, indexingJobs, embeddingModel } = ports;
  const modelId = embeddingModel?.id ?? null;
  const needs = requiredVectors(embeddingModel);
  const rejections = createRejections();

  const countMissing = async (userId: string) => {
    const { total, withEmbeddings } = await memories.countEmbedded(userId, modelId, needs);
    return total - withEmbeddings;
  };

  const indexing: Indexing = {
    async state(userId) {
      const [{ total, withEmbeddings }, latestJob] = await Promise.all([
        memories.countEmbedded(userId, modelId, needs),
        indexingJobs.latest(userId),
      ]);
      const withoutEmbeddings = total - withEmbeddings;
      const missingChunks = withoutEmbeddings === 0 ? 0 : await indexing.countMissingChunks(userId);
      return {
        total,
        withEmbeddings,
        withoutEmbeddings,
        needsReindex: withoutEmbeddings > 0,
        missingChunks,
        chunksPerSecond: embeddingModel === null ? null : speedOf(embeddingModel),
        secondsLeft: embeddingModel === null ? null : estimateSeconds(embeddingModel, missingChunks),
        rejected: rejections.of(userId),
        latestJob,
      };
    },

    async reindex(userId, { batchSize = limits.reindex.batch.default, ...options } = {}) {
      const { signal } = options;
      const latest = await indexingJobs.latest(userId);
      if (latest?.status === 'completed' && (await countMissing(userId)) === 0)
        return { processed: 0, remaining: 0, ...indexingStatus({ kind: 'done' }, 0), job: latest };
      const lease = await waitForLease(ports, userId, signal);
      if (lease === null) {
        const [remaining, job] = [await countMissing(userId), await latestJob(ports, userId)];
        const message = 'Another process is embedding these memories now.';
        return { processed: 0, remaining, status: 'pending', message, job };
      }
      return runBatch({ ...ports, rejections }, userId, lease, batchSize, options);
    },

    async countMissingChunks(userId) {
      return modelId === null ? 0 : memories.countPendingChunks(userId, modelId, needs);
    },

    async queue(userId) {
      const job = await indexingJobs.queue(userId, { status: 'pending', remaining: await countMissing(userId) });
      return { queued: true, job, message: 'Queued. The next runner embeds the memories.' };
    },

    async runDue({ batchSize = limits.reindex.batch.default, ...options } = {}) {
      // Without a model, leave the work to a process that has one.
      if (modelId === null) return { jobs: 0, pending: 0 };
      const statuses: IndexingStatus[] = [];
      for (const userId of await indexingJobs.due(10)) {
        if (options.signal?.aborted) break;
        const lease = await indexingJobs.claim(userId, limits.work.leaseMs);
        // Another worker has taken this job in the meantime: take the next one instead of waiting.
        if (lease === null) continue;
        statuses.push((await runBatch({ ...ports, rejections }, userId, lease, batchSize, options)).status);
      }
      return { jobs: statuses.length, pending: statuses.filter((status) => status === 'pending').length };
    },

    async queueMissing({ keepsOpenJobs = false } = {}) {
      for (const userId of await memories.users()) {
        const remaining = await countMissing(userId);
        if (remaining === 0) continue;
        const latest = await indexingJobs.latest(userId);
        const isOpen = latest !== null && latest.status !== 'completed';
        // Without a model, it is unknown how much an open job has left to do.
        if (isOpen && (keepsOpenJobs || modelId === null)) continue;
        await indexingJobs.queue(userId, { status: modelId === null ? 'blocked' : 'pending', remaining });
      }
    },

    async removePrevious({ signal } = {}) {
      if (modelId === null) return;
      for (const userId of await memories.users()) {
        if (signal?.aborted) return;
        await memories.removePreviousEmbeddings(userId, modelId, signal);
      }
    },

    async forgetWords({ signal, rest } = {}) {
      for (let last: number | null = 0; last !== null; last = await ports.textIndex.forgetWords(last)) {
        await rest?.();
        if (signal?.aborted) return;
      }
    },

    mergeText: () => ports.textIndex.merge(),
  };
  return indexing;
}

async function waitForLease(
  { indexingJobs }: IndexingPorts,
  userId: string,
  signal?: AbortSignal,
): Promise<IndexingLease | null> {
  const deadline = performance.now() + WAIT_LIMIT_MS;
  for (;;) {
    const lease = await indexingJobs.claim(userId, limits.work.leaseMs);
    if (lease !== null || signal?.aborted || performance.now() > deadline) return lease;
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
}

type BatchPorts = IndexingPorts & { rejections: Rejections };

async function runBatch(
  ports: BatchPorts,
  userId: string,
  lease: IndexingLease,
  batchSize: number,
  options: Omit<ReindexOptions, 'batchSize'>,
): Promise<ReindexAnswer> {
  const { memories, indexingJobs, embeddingModel } = ports;
  const held = keepLease((leaseMs) => indexingJobs.renew(lease, leaseMs));
  try {
    const batch = await embedBatch(ports, userId, batchSize, held, options);
    const { total, withEmbeddings } = await memories.countEmbedded(
      userId,
      embeddingModel?.id ?? null,
      requiredVectors(embeddingModel),
    );
    const remaining = total - withEmbeddings;
    const answer = {
      processed: batch.processed,
      remaining,
      ...indexingStatus(batch.outcome, remaining),
    };
    if (batch.outcome.kind === 'stopped') {
      await indexingJobs.release(lease);
      const latest = await latestJob(ports, userId);
      return { ...answer, job: latest };
    }
    const { status, message } = answer;
    const job = await indexingJobs.finish(
      lease,
      {
        status,
        processed: batch.processed,
        remaining,
        model: embeddingModel?.id ?? null,
        error: status === 'blocked' || status === 'failed' ? message : null,
      },
      // A model that is down for long comes back some day.
      (failures) => retryDelay(Math.min(failures, limits.work.attempts - 1)),
    );
    return { ...answer, job: job ?? (await latestJob(ports, userId)) };
  } catch (error) {
    await releaseLease(indexingJobs, lease);
    throw error;
  } finally {
    held.stop();
  }
}

async function embedBatch(
  ports: BatchPorts,
  userId: string,
  batchSize: number,
  held: { isLost(): boolean },
  { signal, onProgress, rest }: Omit<ReindexOptions, 'batchSize'>,
): Promise<{ outcome: BatchOutcome; processed: number }> {
  const { memories, embeddingModel, rejections } = ports;
  if (embeddingModel === null) {
    const { total } = await memories.countEmbedded(userId, null);
    return { outcome: { kind: total === 0 ? 'done' : 'no-model' }, processed: 0 };
  }
  const chunks = await findAcceptable({ memories, embeddingModel, rejections }, userId, batchSize);
  const { reason } = rejections.of(userId);
  if (chunks.length === 0 && reason !== null) return { outcome: { kind: 'rejected', reason }, processed: 0 };
  try {
    await embedChunks({ embeddingModel, memories }, userId, chunks, {
      mayStore: () => !held.isLost(),
      onStored: onProgress,
      onRejected: (chunk, reason) => rejections.add(userId, chunk, reason),
      signal,
      isBacklog: true,
      rest,
    });
  } catch (error) {
    if (!(error instanceof RecollectError)) throw error;
    const outcome: BatchOutcome = signal?.aborted
      ? { kind: 'stopped' }
      : { kind: 'failed', reason: error.message, isRetryable: error.isRetryable };
    return { outcome, processed: await countDone(ports, userId, chunks) };
  }
  return { outcome: { kind: 'done' }, processed: await countDone(ports, userId, chunks) };
}

/** How many memories of a batch now have all their embeddings. One with more chunks than fit in a batch may not. */
async function countDone(
  { memories, embeddingModel }: IndexingPorts,
  userId: string,
  chunks: readonly PendingChunk[],
): Promise<number> {
  const ids = [...new Set(chunks.map(({ memoryId }) => memoryId))];
  const needs = requiredVectors(embeddingModel);
  const done = await Promise.all(ids.map((id) => memories.hasEmbeddings(userId, embeddingModel?.id ?? '', id, needs)));
  return done.filter(Boolean).length;
}

async function latestJob({ indexingJobs }: IndexingPorts, userId: string): Promise<IndexingJob> {
  const job = await indexingJobs.latest(userId);
  if (job === null) throw new Error('The indexing job that just ran does not exist.');
  return job;
}
