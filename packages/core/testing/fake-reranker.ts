import { estimateTokens } from '#core/chunking/estimate-tokens.js';
import type { Reranker } from '#core/ports/index.js';

export interface FakeReranker extends Reranker {
  /** Every query that was scored, with its passages, in order. */
  readonly asked: { query: string; passages: readonly string[] }[];
  /** Replaces the next scores; null restores the normal behaviour. */
  failure: ((signal: AbortSignal | undefined) => Promise<never>) | null;
}

/**
 * A reranker without weights. It prefers passages with a given word and ignores the query.
 *
 * @example
 * const fake = createFakeReranker('answer');
 * await fake.score('query', ['the answer', 'a text']); // [1, -1]
 */
export function createFakeReranker(preferred: string): FakeReranker {
  const fake: FakeReranker = {
    id: 'fake',
    scripts: ['Latin'],
    countTokens: estimateTokens,
    asked: [],
    failure: null,
    async score(query, passages, { signal } = {}) {
      fake.asked.push({ query, passages });
      if (fake.failure !== null) return fake.failure(signal);
      return passages.map((passage) => (passage.includes(preferred) ? 1 : -1));
    },
    async close() {},
  };
  return fake;
}
