import type { Candidates, LateQuery } from '@recollect/core';
import { lateCandidates } from '@recollect/core/threads';
import type { ScorePassages } from './score-passages.js';
import type { TextProcedures, TextRequest } from './search-text.js';
import type { SearchVectors, VectorRequest } from './vector-procedures.js';

export interface BothRequest {
  text: Omit<TextRequest, 'also'>;
  /** Null if the query was not embedded. */
  vectors: Omit<VectorRequest, 'also'> | null;
  /** Null without late interaction. */
  late: LateQuery | null;
}

export interface HybridProcedures {
  /**
   * The hits of both indexes, with the score that each has in the other, and the late-interaction scores of the best.
   *
   * @param sequence as in {@link SearchVectors}
   */
  searchBoth(request: BothRequest, sequence: number | null): Candidates;
}

export function createHybridProcedures(
  { searchText, narrow }: Pick<TextProcedures, 'searchText' | 'narrow'>,
  searchVectors: SearchVectors,
  scorePassages: ScorePassages,
): HybridProcedures {
  const search = ({ text: textRequest, vectors }: BothRequest, sequence: number | null): Omit<Candidates, 'late'> => {
    // Both are asked within what the phrases and excluded words leave, which is found once.
    const within = narrow(textRequest);
    const query = { ...textRequest.query, phrases: [], excluded: [] };
    const isNarrow = within !== textRequest.within;
    const near = vectors === null ? null : searchVectors({ ...vectors, within, isNarrow, also: [] }, sequence);
    const nearIds = new Set(near?.hits.map(({ chunkId }) => chunkId));
    const text = searchText({ ...textRequest, query, within, also: [...nearIds] });
    const also = text.hits.map(({ chunkId }) => chunkId).filter((id) => !nearIds.has(id));
    if (near === null || vectors === null || also.length === 0) return { text, nearest: near };
    const { similarities } = searchVectors({ ...vectors, limit: 0, within: null, also }, sequence);
    return { text, nearest: { ...near, similarities } };
  };

  const compare = ({ vectors, late }: BothRequest, found: Omit<Candidates, 'late'>): Candidates['late'] => {
    if (vectors === null || late === null) return new Map();
    const { userId, modelId, vector } = vectors;
    const chunkIds = lateCandidates(found, late);
    return scorePassages({ userId, modelId, tokens: late.tokens, dimensions: vector.length, chunkIds });
  };

  return {
    searchBoth(request, sequence) {
      const found = search(request, sequence);
      return { ...found, late: compare(request, found) };
    },
  };
}
