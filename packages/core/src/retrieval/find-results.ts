import type { CorePorts } from '../ports/core-ports.js';
import type { TitledMemory } from '../ports/index.js';
import type { EmbeddedQuery } from './choose-model.js';
import type { ParsedQuery } from './parse-query.js';
import type { SearchBudget } from './search-budget.js';
import { FIRST_DEPTH, type Hit, SPARE_RESULTS, searchHits } from './stages/candidates.js';
import { EXACT_TITLE_SCORE, type MemoryWithResult, readResults } from './stages/present.js';

/** The best results of a query, and how they were found. */
export interface FoundResults {
  placed: readonly MemoryWithResult[];
  /** Words of the query that occur in no text; null if not counted. */
  absent: ReadonlySet<string> | null;
  /** `text` when the query was not embedded. */
  retrieval: 'hybrid' | 'text';
  /** Whether a model is configured but failed or was too slow. */
  isDegraded: boolean;
  /** Whether the time was up before everything was found. */
  isPartial: boolean;
}

interface FindOptions {
  limit: number;
  /** Leaves out results with a lower score. */
  minScore: number;
  embedding: Promise<EmbeddedQuery | null> | null;
  signal: AbortSignal | undefined;
  budget: SearchBudget;
}

/** Many versions of one page can fill the hits. A search for more memories then finds those behind them. */
export async function findResults(
  ports: Pick<CorePorts, 'memories' | 'hybridIndex' | 'embeddingModel'>,
  userId: string,
  asked: ParsedQuery,
  { limit, minScore, embedding, signal, budget }: FindOptions,
): Promise<FoundResults> {
  signal?.throwIfAborted();
  let [wanted, depth] = [limit, FIRST_DEPTH];
  const title = titleOf(asked, minScore);
  for (;;) {
    const options = { limit: wanted, depth, read: limit + SPARE_RESULTS, title, embedding, signal, budget };
    const found = await searchHits(ports, userId, asked, options);
    const { hits, absent, isHybrid, memoryCount, nextDepth, isPartial } = found;
    signal?.throwIfAborted();
    const likely = hits.filter(({ score }) => score >= minScore);
    const named = withExactTitlesFirst(likely, found.titled);
    const read = await readResults(ports.memories, userId, named, found, asked, { limit, budget, signal });
    // Scores fall from one result to the next.
    const placed = read.placed.filter(({ result }) => result.score >= minScore);
    const isEnough = read.placed.length === limit || placed.length < read.placed.length;
    if (isEnough || likely.length < hits.length || nextDepth === null || read.isPartial)
      return {
        placed,
        absent,
        retrieval: isHybrid ? 'hybrid' : 'text',
        isDegraded: ports.embeddingModel !== null && !isHybrid,
        isPartial: isPartial || read.isPartial,
      };
    wanted = memoryCount + limit;
    depth = nextDepth;
  }
}

/**
 * The title that a query may be. The places of such memories among the hits say little: a short title is in many texts,
 * which say it more often.
 */
function titleOf({ text, terms }: ParsedQuery, minScore: number): string | undefined {
  // A title that is the query has its phrases. The text of the memory may still have excluded words.
  return terms.excluded?.length || terms.terms.length === 0 || minScore > EXACT_TITLE_SCORE ? undefined : text;
}

/** The hits with the exact title matches before all others. */
function withExactTitlesFirst(hits: readonly Hit[], matches: readonly TitledMemory[]): readonly Hit[] {
  if (matches.length === 0) return hits;
  const score = Math.max(hits[0]?.score ?? EXACT_TITLE_SCORE, EXACT_TITLE_SCORE);
  const named = new Set(matches.map(({ memoryId }) => memoryId));
  const matchingHits = hits.filter(({ memoryId }) => named.has(memoryId));
  const missing = matches.filter(({ memoryId }) => !matchingHits.some((hit) => hit.memoryId === memoryId));
  return [
    ...matchingHits.map((hit) => ({ ...hit, score })),
    ...missing.map((match) => ({ ...match, rank: 1, textShare: 1, score })),
    ...hits.filter(({ memoryId }) => !named.has(memoryId)),
  ];
}
