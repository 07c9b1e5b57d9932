import type { Candidates } from '@recollect/core';
import type { TextProcedures, TextRequest } from './search-text.js';
import type { SearchVectors, VectorRequest } from './vector-procedures.js';

export interface BothRequest {
  text: Omit<TextRequest, 'also'>;
  /** Null if the query was not embedded. */
  vectors: Omit<VectorRequest, 'also'> | null;
}

export interface HybridProcedures {
  /** The hits of both indexes, with the score that each has in the other. @param sequence as in {@link SearchVectors} */
  searchBoth(request: BothRequest, sequence: number | null): Candidates;
}

export function createHybridProcedures(
  { searchText, narrow }: Pick<TextProcedures, 'searchText' | 'narrow'>,
  searchVectors: SearchVectors,
): HybridProcedures {
  return {
    searchBoth({ text: textRequest, vectors }, sequence) {
      const near =
        vectors === null ? null : searchVectors({ ...vectors, within: narrow(textRequest), also: [] }, sequence);
      const nearIds = new Set(near?.hits.map(({ chunkId }) => chunkId));
      const text = searchText({ ...textRequest, also: [...nearIds] });
      const also = text.hits.map(({ chunkId }) => chunkId).filter((id) => !nearIds.has(id));
      if (near === null || vectors === null || also.length === 0) return { text, nearest: near };
      const { similarities } = searchVectors({ ...vectors, limit: 0, within: null, also }, sequence);
      return { text, nearest: { hits: near.hits, similarities } };
    },
  };
}
