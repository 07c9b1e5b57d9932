import type { CorePorts } from '../core-ports.js';
import type { EmbeddedQuery } from './embed-query.js';
import type { ParsedQuery } from './parse-query.js';
import { FIRST_DEPTH, searchHits } from './stages/candidates.js';
import { type MemoryWithResult, readResults } from './stages/present.js';

/** The best results of a query, and how they were found. */
export interface FoundResults {
  placed: readonly MemoryWithResult[];
  /** `text` when the query was not embedded. */
  retrieval: 'hybrid' | 'text';
  /** Whether a model is configured but failed or was too slow. */
  isDegraded: boolean;
}

interface FindOptions {
  limit: number;
  /** Leaves out results with a lower score. */
  minScore: number;
  embedding: Promise<EmbeddedQuery | null> | null;
  signal: AbortSignal | undefined;
}

/** Many versions of one page can fill the hits. A search for more memories then finds those behind them. */
export async function findResults(
  ports: Pick<CorePorts, 'memories' | 'hybridIndex' | 'embeddingModel'>,
  userId: string,
  asked: ParsedQuery,
  { limit, minScore, embedding, signal }: FindOptions,
): Promise<FoundResults> {
  let [wanted, depth] = [limit, FIRST_DEPTH];
  for (;;) {
    const options = { limit: wanted, depth, embedding, signal };
    const { hits, retrieval, isDegraded, found, nextDepth } = await searchHits(ports, userId, asked, options);
    signal?.throwIfAborted();
    const likely = hits.filter(({ score }) => score >= minScore);
    const placed = await readResults(ports.memories, userId, likely, asked, limit);
    if (placed.length === limit || likely.length < hits.length || nextDepth === null)
      return { placed, retrieval, isDegraded };
    wanted = found + limit;
    depth = nextDepth;
  }
}
