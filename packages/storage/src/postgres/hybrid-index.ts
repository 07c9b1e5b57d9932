import type {
  Candidates,
  HybridIndex,
  HybridOptions,
  HybridQuery,
  LateScores,
  QueryVector,
  RankedHits,
  TextResult,
} from '@recollect/core';
import { chunksToRead, fuseCandidates } from '@recollect/core/threads';
import { scorePassages } from '@recollect/in-memory-index';
import type { Kysely } from 'kysely';
import type { Database } from '../dialect.js';
import { findTitled, readFound } from '../memories/found-memories.js';
import { prepared } from '../prepared.js';
import type { Tables } from '../tables.js';
import { conditionOf } from './condition.js';
import { endWith } from './limit-search.js';
import type { TextSearching } from './text-index.js';
import { NOTHING_NEAR, type StoredModel, toHalfvec, type VectorSearching } from './vector-index.js';

/**
 * The least milliseconds of a search. Its budget is of processor time, which a server does not report, and statements
 * also wait for others.
 */
const LEAST_TIME = 2_000;

/**
 * Both indexes. First the words are counted while the nearest vectors are found; then texts are ranked, with the scores
 * of those vectors and the similarities of those texts; then the passage vectors of the best are read.
 */
export function createHybridIndex(database: Database, texts: TextSearching, vectors: VectorSearching): HybridIndex {
  const { reader } = database;

  /** @param found receives what has been found, for when the time is up */
  const searchBoth = async (
    found: Candidates,
    userId: string,
    { terms, embedded }: HybridQuery,
    { limit, filter }: Pick<HybridOptions, 'limit' | 'filter'>,
  ): Promise<RankedHits> => {
    const within = await texts.narrow(userId, terms, conditionOf(reader, userId, filter));
    const model = embedded === null ? null : await vectors.findModel(embedded.modelId);
    if (embedded === null || model?.dimensions !== embedded.vector.length) {
      const plan = await texts.plan(userId, terms);
      found.text = (await texts.search(plan, { limit, within, also: [], compared: null })).text;
      return fuseCandidates(found, embedded, limit).rank(NO_SCORES);
    }
    const vector = toHalfvec(embedded.vector);
    const compared = { userId, model, vector };
    const nearest = vectors.nearest({ ...compared, limit, within }).then((near) => {
      found.nearest = { ...near, similarities: new Map() };
      return near;
    });
    const [plan, near] = await Promise.all([texts.plan(userId, terms), nearest]);
    const also = near.hits.map(({ chunkId }) => chunkId);
    const request = { limit, within, also, compared: { modelId: model.id, vector } };
    const { text, similarities } = await texts.search(plan, request);
    found.text = text;
    const nearIds = new Set(also);
    const others = text.hits.map(({ chunkId }) => chunkId).filter((id) => !nearIds.has(id));
    // Texts within longer words and comments are rare, and ranked by another statement.
    const missing = others.filter((id) => !similarities.has(id));
    const more = await vectors.compare(compared, missing);
    const all = new Map(others.flatMap((id) => pairOf(id, similarities.get(id) ?? more.get(id))));
    found.nearest = { ...near, similarities: all };
    const { best, rank } = fuseCandidates(found, embedded, limit);
    return rank(await comparePassages(database, userId, model, embedded, best));
  };

  /** Both indexes, within a budget. */
  const rankWithin = async (
    userId: string,
    query: HybridQuery,
    {
      limit,
      filter,
      signal,
      budget,
    }: Required<Pick<HybridOptions, 'limit' | 'filter' | 'budget'>> & Pick<HybridOptions, 'signal'>,
  ): Promise<RankedHits> => {
    const found: Candidates = { text: NO_TEXT, nearest: query.embedded === null ? null : NOTHING_NEAR };
    const time = budget <= 0 ? AbortSignal.abort() : timeout(Math.max(budget, LEAST_TIME));
    const ends = signal === undefined ? time : AbortSignal.any([signal, time]);
    try {
      return await endWith(ends, () => searchBoth(found, userId, query, { limit, filter }));
    } catch (error) {
      signal?.throwIfAborted();
      if (!time.aborted) throw error;
      return { ...fuseCandidates(found, query.embedded, limit).rank(NO_SCORES), isPartial: true };
    }
  };

  return {
    async search(userId, query, { limit, read = 0, filter, signal, budget = Number.POSITIVE_INFINITY }) {
      signal?.throwIfAborted();
      const titling = query.title === undefined ? [] : findTitled(database, userId, query.title, filter);
      const [ranked, titled] = await Promise.all([
        rankWithin(userId, query, { limit, filter, signal, budget }),
        titling,
      ]);
      // Hits that were found in time are read.
      const chunkIds = chunksToRead(ranked.hits, titled, read);
      const memories = chunkIds.length === 0 ? new Map() : await readFound(database, userId, chunkIds);
      return { ...ranked, titled, memories };
    },
  };
}

/** An abort signal after some milliseconds, of which there may be too many for a timer. */
function timeout(milliseconds: number): AbortSignal {
  return milliseconds === Number.POSITIVE_INFINITY ? new AbortController().signal : AbortSignal.timeout(milliseconds);
}

const NO_SCORES: LateScores = new Map();
const NO_TEXT: TextResult = {
  hits: [],
  scores: new Map(),
  coverage: 0,
  fullScore: 0,
  weights: [],
  absent: null,
  chunks: 0,
};

function pairOf(id: number, similarity: number | undefined): [number, number][] {
  return similarity === undefined ? [] : [[id, similarity]];
}

/** The late-interaction scores of those chunks that have passage vectors. */
async function comparePassages(
  { reader, isIn }: { reader: Kysely<Tables>; isIn: Database['isIn'] },
  userId: string,
  model: StoredModel,
  { late }: QueryVector,
  chunkIds: readonly number[],
): Promise<LateScores> {
  if (late === null || late.tokens.length === 0 || late.tokens.length % model.dimensions !== 0) return NO_SCORES;
  const rows = await reader
    .selectFrom('passage_vectors')
    .modifyFront(prepared)
    .select(['chunk_id', 'signs'])
    .where('user_id', '=', userId)
    .where('model_id', '=', model.id)
    .where(isIn('chunk_id', chunkIds))
    .execute();
  const signs = rows.map((row) => row.signs);
  const scores = scorePassages(late.tokens, model.dimensions, signs);
  const scored = rows.map(({ chunk_id }, at): [number, number | null] => [chunk_id, scores[at] ?? null]);
  return new Map(scored.filter(([, score]) => !Number.isNaN(score)));
}
