import { limits } from '@recollect/contract/limits';
import type { EmbeddingModel } from '../ports/index.js';

/** Chunks that wait for a model in requests, in this process. */
const waiting = new WeakMap<EmbeddingModel, number>();

/**
 * Takes a turn to embed chunks before a request is answered. Null if they are too many, or if so many of other requests
 * wait for the model that this one would wait for long: an indexing job then embeds them. The caller ends the turn.
 *
 * @example
 * const endTurn = takeInlineTurn(embeddingModel, chunks.length);
 * if (endTurn !== null) await embedChunks(ports, userId, chunks).finally(endTurn);
 */
export function takeInlineTurn(model: EmbeddingModel, chunks: number): (() => void) | null {
  const others = waiting.get(model) ?? 0;
  const { inlineChunks, inlineWaiting } = limits.capture;
  if (chunks > inlineChunks || (others > 0 && others + chunks > inlineWaiting)) return null;
  waiting.set(model, others + chunks);
  let hasEnded = false;
  return () => {
    if (!hasEnded) waiting.set(model, (waiting.get(model) ?? 0) - chunks);
    hasEnded = true;
  };
}
