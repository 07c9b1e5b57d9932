import type { Candidates, LateScores, NearestVectors, RankedHits, TextResult, VectorRanking } from '@recollect/core';
import { fuseCandidates } from '@recollect/core/threads';
import { isOutOfTime, spent } from '../work-limit.js';
import type { Condition } from './condition.js';
import type { TextRequest } from './match.js';
import { type PackedHits, packHits } from './packed-hits.js';
import type { createFoundReader, FoundRows, ReadRequest } from './read-found.js';
import type { ScorePassages } from './search-memory-vectors.js';
import type { TextProcedures } from './search-text.js';
import type { SearchVectors, VectorRequest } from './vector-procedures.js';

export interface BothRequest {
  text: Omit<TextRequest, 'also'>;
  /** Null if there are no vectors to search. */
  vectors: Omit<VectorRequest, 'also'> | null;
  /** Null if the query was not embedded. */
  ranking: VectorRanking | null;
  reading: ReadRequest;
}

export interface HybridProcedures {
  /**
   * The hits of both indexes, ranked by the score that each has in either, and by late interaction. Also reads the
   * memories of the first. When the time is up, what has been found by then.
   *
   * @param sequence as in {@link SearchVectors}
   * @param textSequence as in {@link TextProcedures}
   */
  searchBoth(
    request: BothRequest,
    sequence: number | null,
    textSequence: number | null,
  ): Omit<RankedHits, 'hits'> & { packed: PackedHits } & FoundRows;
}

export function createHybridProcedures(
  { searchText, narrow, countTerms }: Pick<TextProcedures, 'searchText' | 'narrow' | 'countTerms'>,
  searchVectors: SearchVectors,
  scorePassages: ScorePassages,
  readFound: ReturnType<typeof createFoundReader>,
): HybridProcedures {
  const findWithin = (
    { text: textRequest, vectors, ranking }: BothRequest,
    within: Condition | null,
    { sequence, textSequence }: Sequences,
    attempt: Attempt,
  ): Candidates => {
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
    const nearest = near ?? (ranking && NOTHING_NEAR);
    const also = text.hits.map(({ chunkId }) => chunkId).filter((id) => !nearIds.has(id));
    if (near === null || vectors === null || also.length === 0) return { text, nearest };
    const others = attempt(() => searchVectors({ ...vectors, limit: 0, within: null, also }, sequence), NOTHING_NEAR);
    return { text, nearest: { ...near, similarities: others.similarities } };
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
      const { text, vectors, ranking, reading } = request;
      // Both search within the chunks that match phrases and excluded words, which are found once.
      const within = attempt<Condition | null | undefined>(() => narrow(text), undefined);
      const candidates =
        within === undefined
          ? { text: noText(0), nearest: ranking && NOTHING_NEAR }
          : findWithin(request, within, { sequence, textSequence }, attempt);
      const { best, rank } = fuseCandidates(candidates, ranking, text.limit);
      const tokens = ranking?.late?.tokens;
      const score = (): LateScores =>
        vectors === null || tokens === undefined ? NO_SCORES : scorePassages({ ...vectors, tokens, chunkIds: best });
      const { hits, ...ranked } = rank(attempt(score, NO_SCORES));
      const found = readFound(reading, hits, text.within);
      return { ...ranked, packed: packHits(hits), ...found, spent: spent() - startedAt, isPartial };
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

const NO_SCORES: LateScores = new Map();
const NOTHING_NEAR: NearestVectors = { hits: [], beyond: null, similarities: new Map() };

function noText(chunks: number): TextResult {
  return { hits: [], scores: new Map(), coverage: 1, fullScore: 0, weights: [], absent: null, chunks };
}
