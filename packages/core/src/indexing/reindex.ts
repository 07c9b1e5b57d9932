import type { IndexingJob, IndexingStatus, QueuedAnswer, ReindexAnswer, ReindexState } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import type { CorePorts } from '../core-ports.js';
import { RecollectError } from '../error.js';
import type { IndexingLease, PendingChunk } from '../ports/index.js';
import { giveBack, keepLease } from '../runners/keep-lease.js';
import { retryDelay } from '../runners/retry-delay.js';
import { embedChunks } from './embed-chunks.js';
import { type BatchOutcome, indexingStatus } from './indexing-status.js';

/** How long a call waits for another process's batch before it answers that there is one, in milliseconds. */
const PATIENCE = 20_000;
const POLL = 40;

export interface ReindexOptions {
  /** Memories in the batch. */
  batchSize?: number;
  signal?: AbortSignal;
  /** Told how many more chunks have embeddings now, a group at a time. */
  onProgress?: (chunks: number) => void;
}

export interface Indexing {
  state(userId: string): Promise<ReindexState>;
  /** Embeds one batch of memories. Calls at once take turns, in all processes, and embed nothing twice (IDX-5). */
  reindex(userId: string, options?: ReindexOptions): Promise<ReindexAnswer>;
  /** How many chunks lack embeddings of the present model: what a progress bar counts. */
  countMissingChunks(userId: string): Promise<number>;
  /** Records that there is work, for a runner. */
  queue(userId: string): Promise<QueuedAnswer>;
  /** One batch of each job that is due: how many jobs that were, and how many of them have more to do. */
  runDue(options?: { batchSize?: number; signal?: AbortSignal }): Promise<{ jobs: number; pending: number }>;
  /** Queues a job for every user whose memories lack embeddings, as after a crash or a change of the model. */
  queueMissing(): Promise<void>;
}

/** The backfill of embeddings: its state, its batches and its queue. */
export function createIndexing(ports: CorePorts): Indexing {
  const { memories, indexingJobs, embeddingModel } = ports;
  const modelId = embeddingModel?.id ?? null;

  const countMissing = async (userId: string) => {
    const { total, withEmbeddings } = await memories.countEmbedded(userId, modelId);
    return total - withEmbeddings;
  };

  const indexing: Indexing = {
    async state(userId) {
      const [{ total, withEmbeddings }, latestJob] = await Promise.all([
        memories.countEmbedded(userId, modelId),
        indexingJobs.latest(userId),
      ]);
      const withoutEmbeddings = total - withEmbeddings;
      return { total, withEmbeddings, withoutEmbeddings, needsReindex: withoutEmbeddings > 0, latestJob };
    },

    async reindex(userId, { batchSize = limits.reindex.batch.default, signal, onProgress } = {}) {
      const remaining = await countMissing(userId);
      const latest = remaining === 0 ? await indexingJobs.latest(userId) : null;
      if (latest?.status === 'completed') return answerOf({ kind: 'done' }, 0, 0, latest);
      const lease = await waitForLease(ports, userId, signal);
      if (lease === null) {
        const job = await latestJob(ports, userId);
        const message = 'Another process is embedding these memories at the moment.';
        return { processed: 0, remaining, status: 'pending', message, job };
      }
      return runBatch(ports, userId, lease, batchSize, {
        ...(signal === undefined ? {} : { signal }),
        ...(onProgress === undefined ? {} : { onProgress }),
      });
    },

    async countMissingChunks(userId) {
      return modelId === null ? 0 : memories.countPendingChunks(userId, modelId);
    },

    async queue(userId) {
      const job = await indexingJobs.queue(userId, { status: 'pending', remaining: await countMissing(userId) });
      return { queued: true, job, message: 'The work is queued; the next runner takes it up.' };
    },

    async runDue({ batchSize, signal } = {}) {
      // What this process has no model for is left to one that has.
      if (modelId === null) return { jobs: 0, pending: 0 };
      const options = {
        ...(batchSize === undefined ? {} : { batchSize }),
        ...(signal === undefined ? {} : { signal }),
      };
      const statuses: IndexingStatus[] = [];
      for (const userId of await indexingJobs.due(10)) {
        if (signal?.aborted) break;
        statuses.push((await indexing.reindex(userId, options)).status);
      }
      return { jobs: statuses.length, pending: statuses.filter((status) => status === 'pending').length };
    },

    async queueMissing() {
      for (const userId of await memories.users()) {
        const remaining = await countMissing(userId);
        if (remaining === 0) continue;
        const latest = await indexingJobs.latest(userId);
        const isOpen = latest !== null && latest.status !== 'completed';
        // Without a model it cannot be known what an open job has left.
        if (modelId === null && isOpen) continue;
        await indexingJobs.queue(userId, { status: modelId === null ? 'blocked' : 'pending', remaining });
      }
    },
  };
  return indexing;
}

async function waitForLease(
  { indexingJobs }: CorePorts,
  userId: string,
  signal?: AbortSignal,
): Promise<IndexingLease | null> {
  const deadline = performance.now() + PATIENCE;
  for (;;) {
    const lease = await indexingJobs.claim(userId, limits.work.leaseMs);
    if (lease !== null || signal?.aborted || performance.now() > deadline) return lease;
    await new Promise((resolve) => setTimeout(resolve, POLL));
  }
}

async function runBatch(
  ports: CorePorts,
  userId: string,
  lease: IndexingLease,
  batchSize: number,
  options: Omit<ReindexOptions, 'batchSize'>,
): Promise<ReindexAnswer> {
  const { memories, indexingJobs, embeddingModel } = ports;
  const held = keepLease((leaseMs) => indexingJobs.renew(lease, leaseMs));
  try {
    const batch = await embedBatch(ports, userId, batchSize, held, options);
    const { total, withEmbeddings } = await memories.countEmbedded(userId, embeddingModel?.id ?? null);
    const remaining = total - withEmbeddings;
    if (batch.outcome.kind === 'stopped') {
      await indexingJobs.release(lease);
      const latest = await latestJob(ports, userId);
      return answerOf(batch.outcome, batch.processed, remaining, latest);
    }
    const { status, message } = indexingStatus(batch.outcome, remaining);
    const job = await indexingJobs.finish(
      lease,
      {
        status,
        processed: batch.processed,
        remaining,
        model: embeddingModel?.id ?? null,
        error: status === 'blocked' || status === 'failed' ? message : null,
      },
      retryDelay,
    );
    return answerOf(batch.outcome, batch.processed, remaining, job ?? (await latestJob(ports, userId)));
  } catch (error) {
    await giveBack(indexingJobs, lease);
    throw error;
  } finally {
    held.stop();
  }
}

async function embedBatch(
  ports: CorePorts,
  userId: string,
  batchSize: number,
  held: { isLost(): boolean },
  { signal, onProgress }: Omit<ReindexOptions, 'batchSize'>,
): Promise<{ outcome: BatchOutcome; processed: number }> {
  const { memories, embeddingModel, vectorIndex } = ports;
  if (embeddingModel === null) {
    const { total } = await memories.countEmbedded(userId, null);
    return { outcome: { kind: total === 0 ? 'done' : 'no-model' }, processed: 0 };
  }
  const chunks = await memories.pendingChunks(userId, embeddingModel.id, batchSize);
  try {
    await embedChunks({ embeddingModel, vectorIndex }, userId, chunks, {
      mayStore: () => !held.isLost(),
      ...(onProgress === undefined ? {} : { onStored: onProgress }),
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (error) {
    if (!(error instanceof RecollectError)) throw error;
    const outcome: BatchOutcome = signal?.aborted ? { kind: 'stopped' } : { kind: 'failed', reason: error.message };
    return { outcome, processed: await countDone(ports, userId, chunks) };
  }
  return { outcome: { kind: 'done' }, processed: await countDone(ports, userId, chunks) };
}

/** How many memories of a batch have all of their embeddings now; one with more chunks than a batch takes may not. */
async function countDone(
  { memories, embeddingModel }: CorePorts,
  userId: string,
  chunks: readonly PendingChunk[],
): Promise<number> {
  const ids = [...new Set(chunks.map(({ memoryId }) => memoryId))];
  const done = await Promise.all(ids.map((id) => memories.hasEmbeddings(userId, embeddingModel?.id ?? '', id)));
  return done.filter(Boolean).length;
}

async function latestJob({ indexingJobs }: CorePorts, userId: string): Promise<IndexingJob> {
  const job = await indexingJobs.latest(userId);
  if (job === null) throw new Error('A job that was worked on is not there.');
  return job;
}

function answerOf(outcome: BatchOutcome, processed: number, remaining: number, job: IndexingJob): ReindexAnswer {
  return { processed, remaining, ...indexingStatus(outcome, remaining), job };
}
