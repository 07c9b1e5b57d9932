import { embeddingInput } from '../../chunking/embedding-input.js';
import type { Reranker } from '../../ports/index.js';
import { canRead } from '../choose-model.js';
import type { MemoryWithResult } from './present.js';

/** Memories that the reranker compares: those after them keep their places. */
export const CAREFULLY_RANKED = 10;
/** The share of the reranker in the new order. */
const WEIGHT = 0.5;
/** Tokens of a query beyond which the reranker makes the order worse (docs/retrieval.md). */
const MAX_QUERY_TOKENS = 32;

interface CarefulOptions {
  /** Milliseconds that it may take. */
  budget: number;
  /** Whether the search has been slow without it. Then the order stays, so that searches do not wait for each other. */
  isBusy: boolean;
  signal: AbortSignal | undefined;
}

/** The results in their new order, or as they were, with the reason. */
export interface CarefullyRanked {
  placed: readonly MemoryWithResult[];
  /** Why the order is as it was. Undefined if the reranker decided it. */
  warning?: string | undefined;
}

/**
 * Ranks the best results again by a cross-encoder, which reads the query and a passage together. It judges short
 * queries better than the ranking does, and long ones worse. Without a reranker, and where it fails or takes too long,
 * the order stays.
 */
export async function rankCarefully(
  reranker: Reranker | null,
  query: string,
  placed: readonly MemoryWithResult[],
  { budget, isBusy, signal }: CarefulOptions,
): Promise<CarefullyRanked> {
  if (reranker === null) return { placed, warning: WITHOUT.reranker };
  if (!canRead(reranker.scripts, query)) return { placed, warning: WITHOUT.script };
  if (reranker.countTokens(query) > MAX_QUERY_TOKENS) return { placed, warning: WITHOUT.length };
  // A query that is an exact title asks for that memory, even if another one scores higher.
  const named = placed.filter(({ isNamed }) => isNamed);
  const unnamed = placed.slice(named.length);
  const [best, others] = [unnamed.slice(0, CAREFULLY_RANKED), unnamed.slice(CAREFULLY_RANKED)];
  if (best.length < 2) return { placed };
  if (isBusy) return { placed, warning: WITHOUT.isBusy };
  const passages = best.map(({ memory: { title }, chunk }) =>
    embeddingInput({ title, previous: null, text: chunk }, reranker.countTokens),
  );
  const scores = await scoreWithin(budget, signal, (stop) => reranker.score(query, passages, { signal: stop }));
  signal?.throwIfAborted();
  if (typeof scores === 'string') return { placed, warning: WITHOUT[scores] };
  const order = mixRanks(
    best.map(({ rank }) => rank),
    scores,
  );
  return { placed: [...raiseScores([...named, ...order.flatMap((at) => best[at] ?? [])]), ...others] };
}

/**
 * The order, best first, by the mean of two scores for each item, each of them scaled so that the least has 0 and the
 * greatest 1. Among equals, the former order stays.
 *
 * @example
 * mixRanks([0.9, 0.8, 0.1], [-3, 4, 1]); // [1, 0, 2]
 */
export function mixRanks(ranks: readonly number[], judged: readonly number[]): number[] {
  const [ranked, scored] = [toShares(ranks), toShares(judged)];
  const mixed = ranked.map((share, at) => (1 - WEIGHT) * share + WEIGHT * (scored[at] ?? 0));
  return [...mixed.keys()].sort((a, b) => (mixed[b] ?? 0) - (mixed[a] ?? 0) || a - b);
}

function toShares(values: readonly number[]): number[] {
  const least = Math.min(...values);
  const range = Math.max(...values) - least;
  return values.map((value) => (range > 0 ? (value - least) / range : 0));
}

/**
 * A result is at least as likely as later results. So a result that moved up gets the score of the best that it passed.
 * A result that moved down keeps its score: a likely result does not become unlikely because another seems better.
 */
function raiseScores(placed: readonly MemoryWithResult[]): MemoryWithResult[] {
  let greatest = 0;
  return placed
    .toReversed()
    .map((result) => {
      greatest = Math.max(greatest, result.result.score);
      return { ...result, result: { ...result.result, score: greatest } };
    })
    .toReversed();
}

/** The outcome of work that may take only so long, or why there is none. Loading the model is not stopped. */
async function scoreWithin(
  budget: number,
  ended: AbortSignal | undefined,
  score: (stop: AbortSignal) => Promise<number[]>,
): Promise<number[] | 'time' | 'failure'> {
  const timeLimit = AbortSignal.timeout(budget);
  const stop = ended === undefined ? timeLimit : AbortSignal.any([timeLimit, ended]);
  const stopped = new Promise<'time'>((resolve) =>
    stop.addEventListener('abort', () => resolve('time'), { once: true }),
  );
  const scored = score(stop).catch(() => (stop.aborted ? ('time' as const) : ('failure' as const)));
  return Promise.race([scored, stopped]);
}

/** Why the order of the results is the usual one. */
const WITHOUT = {
  reranker: 'Careful search is switched off, so the results are in the usual order.',
  script: 'Careful search does not read the script of the query, so the results are in the usual order.',
  length: 'Careful search helps with short queries only, so the results are in the usual order.',
  isBusy: 'The machine is too busy for careful search, so the results are in the usual order.',
  time: 'Careful search took too long, so the results are in the usual order.',
  failure: 'Careful search failed, so the results are in the usual order.',
};
