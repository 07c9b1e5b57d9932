import type { Candidates, LateQuery, NearestVectors, TextResult } from '@recollect/core';
import { lateCandidates } from '@recollect/core/threads';
import { isOutOfTime, spent } from '../work-limit.js';
import type { Condition } from './condition.js';
import type { TextRequest } from './match.js';
import type { ScorePassages } from './search-memory-vectors.js';
import type { TextProcedures } from './search-text.js';
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
   * When the time is up, what has been found by then.
   *
   * @param sequence as in {@link SearchVectors}
   * @param textSequence as in {@link TextProcedures}
   */
  searchBoth(request: BothRequest, sequence: number | null, textSequence: number | null): Candidates;
}

export function createHybridProcedures(
  { searchText, narrow, countTerms }: Pick<TextProcedures, 'searchText' | 'narrow' | 'countTerms'>,
  searchVectors: SearchVectors,
  scorePassages: ScorePassages,
): HybridProcedures {
  const searchWithin = (
    { text: textRequest, vectors }: BothRequest,
    within: Condition | null,
    { sequence, textSequence }: Sequences,
    attempt: Attempt,
  ): Omit<Candidates, 'late'> => {
    const chunks = attempt(() => countTerms(textRequest.userId, [], null).total, 0);
    const query = { ...textRequest.query, phrases: [], excluded: [] };
    const isNarrow = within !== textRequest.within;
    const near =
      vectors && attempt(() => searchVectors({ ...vectors, within, isNarrow, also: [] }, sequence), NOTHING_NEAR);
    const nearIds = new Set(near?.hits.map(({ chunkId }) => chunkId));
    const text = attempt(
      () => searchText({ ...textRequest, query, within, isNarrow, also: [...nearIds] }, textSequence),
      noText(chunks),
    );
    const also = text.hits.map(({ chunkId }) => chunkId).filter((id) => !nearIds.has(id));
    if (near === null || vectors === null || also.length === 0) return { text, nearest: near };
    const others = attempt(() => searchVectors({ ...vectors, limit: 0, within: null, also }, sequence), NOTHING_NEAR);
    return { text, nearest: { ...near, similarities: others.similarities } };
  };

  const compare = ({ vectors, late }: BothRequest, candidates: Omit<Candidates, 'late'>): Candidates['late'] => {
    if (vectors === null || late === null) return new Map();
    const { userId, modelId, vector } = vectors;
    const chunkIds = lateCandidates(candidates, late);
    return scorePassages({ userId, modelId, tokens: late.tokens, dimensions: vector.length, chunkIds });
  };

  return {
    searchBoth(request, sequence, textSequence) {
      const startedAt = spent();
      let isPartial = false;
      const attempt: Attempt = (work, otherwise) => {
        try {
          return work();
        } catch (error) {
          if (!isOutOfTime(error)) throw error;
          isPartial = true;
          return otherwise;
        }
      };
      // Both search within the chunks that match phrases and excluded words, which are found once.
      const within = attempt<Condition | null | undefined>(() => narrow(request.text), undefined);
      const candidates =
        within === undefined
          ? { text: noText(0), nearest: request.vectors && NOTHING_NEAR }
          : searchWithin(request, within, { sequence, textSequence }, attempt);
      const late = attempt(() => compare(request, candidates), new Map());
      return { ...candidates, late, spent: spent() - startedAt, isPartial };
    },
  };
}

/** The numbers of the newest change for both indexes in memory; null where the store is searched. */
interface Sequences {
  sequence: number | null;
  textSequence: number | null;
}

/** Does work, unless the time is up: then it gives something else. */
type Attempt = <Result>(work: () => Result, otherwise: Result) => Result;

const NOTHING_NEAR: NearestVectors = { hits: [], beyond: null, similarities: new Map() };

function noText(chunks: number): TextResult {
  return { hits: [], scores: new Map(), coverage: 1, fullScore: 0, weights: [], chunks };
}
