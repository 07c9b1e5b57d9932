import type { Reranker } from '@recollect/core';
import pLimit from 'p-limit';
import type { Pair, RerankerThreadOptions } from './model-messages.js';
import type { RerankerRecipe } from './model-recipe.js';
import { openSession } from './model-session.js';
import { silenceTelemetry } from './silence-telemetry.js';
import { createTokenCounter } from './tokenizer/token-counter.js';

export interface LocalRerankerOptions {
  /** Changes whenever the model's scores change. */
  id: string;
  /** A folder as transformers.js reads it: config.json, tokenizer.json, onnx/model_quantized.onnx. */
  folder: string;
  recipe: RerankerRecipe;
  /**
   * Milliseconds without a query after which the model's memory is freed, until the next query loads it again. By
   * default, never.
   */
  releasedAfter?: number | undefined;
  /** The script of the thread. */
  program?: URL | undefined;
}

/**
 * Opens a cross-encoder in a worker thread, which is started for the first query. It scores one pair at a time: the
 * activations of the quantized model are scaled over a batch, so a score would depend on the other passages in it.
 * Queries are scored one after the other. A thread that dies is replaced, and its pair is retried once. The caller must
 * close the reranker.
 *
 * @example
 * const model = openLocalReranker(reranker);
 * const scores = await model.score('what do bees eat', ['Bees collect nectar.', 'The train was late.']);
 * await model.close();
 */
export function openLocalReranker({
  id,
  folder,
  recipe,
  releasedAfter,
  program = new URL('./reranker-thread.js', import.meta.url),
}: LocalRerankerOptions): Reranker {
  const options: RerankerThreadOptions = { folder, recipe: { maxTokens: recipe.maxTokens } };
  const session = openSession<Pair, number>(program, options);
  let countTokens = createTokenCounter(folder);
  const inTurn = pLimit(1);
  let closed = false;
  let release: NodeJS.Timeout | undefined;

  silenceTelemetry();

  const scoreAll = async (query: string, passages: readonly string[], signal: AbortSignal | undefined) => {
    const scores: number[] = [];
    for (const passage of passages) {
      signal?.throwIfAborted();
      if (closed) throw new Error('The reranker is closed.');
      scores.push(await session.compute({ query, passage }));
    }
    return scores;
  };

  const releaseLater = () => {
    clearTimeout(release);
    if (closed || releasedAfter === undefined) return;
    release = setTimeout(() => {
      if (inTurn.activeCount + inTurn.pendingCount > 0) return;
      countTokens = createTokenCounter(folder);
      void session.end();
    }, releasedAfter).unref();
  };

  return {
    id,
    scripts: recipe.scripts,
    countTokens: (text) => countTokens(text),
    async score(query, passages, { signal } = {}) {
      try {
        return await inTurn(scoreAll, query, passages, signal);
      } finally {
        releaseLater();
      }
    },
    async close() {
      closed = true;
      clearTimeout(release);
      await session.end();
    },
  };
}
