import type { EmbeddingModel } from '../ports/index.js';

/** Assumed chunks per second before the first measurement: a busy laptop with two cores. */
const ASSUMED = 10;
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
  return chunks / (speedOf(model) ?? ASSUMED);
}
