import Type, { type Static } from 'typebox';
import { limits } from './limits.js';
import { Maybe, OrNull } from './schema.js';
import { indexingStatuses } from './vocabulary.js';

const { batch } = limits.reindex;

export const IndexingJob = Type.Object({
  id: Type.String(),
  status: Type.Enum([...indexingStatuses]),
  remainingCount: Type.Integer(),
  processedCount: Type.Integer(),
  model: OrNull(Type.String()),
  error: OrNull(Type.String()),
  createdAt: Type.String(),
  updatedAt: Type.String(),
});

export const ReindexState = Type.Object({
  total: Type.Integer(),
  withEmbeddings: Type.Integer(),
  withoutEmbeddings: Type.Integer(),
  needsReindex: Type.Boolean(),
  /** Chunks of the memories without embeddings. */
  missingChunks: Type.Integer(),
  /** The speed of the last embeddings of this process. Null before any. */
  chunksPerSecond: OrNull(Type.Number()),
  /** An estimate from that speed. Null without a model. */
  secondsLeft: OrNull(Type.Number()),
  /**
   * Memories with texts that the model rejects, as this process knows: their number, the ids of up to 20, and the last
   * reason.
   */
  rejected: Type.Object({ count: Type.Integer(), memories: Type.Array(Type.String()), reason: OrNull(Type.String()) }),
  latestJob: OrNull(IndexingJob),
});

export const ReindexBody = Type.Union([
  Type.Object({
    batchSize: Maybe(Type.Integer({ minimum: batch.minimum, maximum: batch.maximum })),
    runNow: Maybe(Type.Boolean()),
  }),
  Type.Null(),
]);

export const ReindexAnswer = Type.Object({
  processed: Type.Integer(),
  remaining: Type.Integer(),
  status: Type.Enum([...indexingStatuses]),
  message: Type.String(),
  job: IndexingJob,
});

export const QueuedAnswer = Type.Object({ queued: Type.Literal(true), job: IndexingJob, message: Type.String() });

export type IndexingJob = Static<typeof IndexingJob>;
export type ReindexState = Static<typeof ReindexState>;
export type ReindexAnswer = Static<typeof ReindexAnswer>;
export type QueuedAnswer = Static<typeof QueuedAnswer>;
