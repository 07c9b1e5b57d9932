import type { IndexingStatus } from '@recollect/contract';
import { count } from '@recollect/contract/text';
import type { EmbeddingModel } from '../ports/index.js';

/** How one batch ended. */
export type BatchOutcome =
  | { kind: 'done' }
  | { kind: 'stopped' }
  | { kind: 'no-model' }
  /** Only texts that the model rejects are left. */
  | { kind: 'rejected'; reason: string }
  | { kind: 'failed'; reason: string; isRetryable: boolean };

/** The state of an indexing job after a batch, and a sentence that describes it. */
export function indexingStatus(outcome: BatchOutcome, remaining: number): { status: IndexingStatus; message: string } {
  switch (outcome.kind) {
    case 'no-model':
      return {
        status: 'blocked',
        message: 'No embedding model is configured.',
      };
    case 'failed':
      return {
        status: 'failed',
        message: outcome.isRetryable
          ? `${outcome.reason} It will be retried; nothing is lost.`
          : `${outcome.reason} Nothing is lost. Check the settings of the model; it is tried again each hour.`,
      };
    case 'rejected':
      return {
        status: 'completed',
        message: `${count(remaining, 'memory is', 'memories are')} left, with texts that the model rejects: ${outcome.reason}`,
      };
    case 'stopped':
    case 'done':
      return remaining === 0
        ? { status: 'completed', message: 'All memories have embeddings.' }
        : {
            status: 'pending',
            message: `${count(remaining, 'memory still lacks', 'memories still lack')} embeddings.`,
          };
  }
}

/** Assumed chunks per second before the first measurement: a busy laptop with two cores. */
const ASSUMED_CHUNKS_PER_SECOND = 10;
/** The share of the newest measurement in the average. */
const WEIGHT = 0.3;

const speeds = new WeakMap<EmbeddingModel, number>();

/** Records how long a model took for some chunks, in milliseconds. */
export function recordSpeed(model: EmbeddingModel, chunks: number, milliseconds: number): void {
  const speed = (1_000 * chunks) / Math.max(1, milliseconds);
  const before = speeds.get(model) ?? speed;
  speeds.set(model, before + WEIGHT * (speed - before));
}

/** Chunks per second of a model, as measured lately. Null before any was measured. */
export function speedOf(model: EmbeddingModel): number | null {
  return speeds.get(model) ?? null;
}

/** An estimate of the seconds that a model takes for some chunks. */
export function estimateSeconds(model: EmbeddingModel, chunks: number): number {
  return chunks / (speedOf(model) ?? ASSUMED_CHUNKS_PER_SECOND);
}
