import type { Candidates, HybridIndex, HybridQuery } from '@recollect/core';
import { lateCandidates } from '@recollect/core/threads';
import { scorePassages } from '@recollect/vector-scan';
import type { Kysely } from 'kysely';
import type { Database } from '../dialect.js';
import type { Tables } from '../tables.js';
import { conditionOf } from './condition.js';
import type { TextSearching } from './text-index.js';
import { NOTHING_NEAR, type StoredModel, toHalfvec, type VectorSearching } from './vector-index.js';

/**
 * Both indexes. First the words are counted while the nearest vectors are found; then texts are ranked, with the scores
 * of those vectors and the similarities of those texts; then the passage vectors of the best are read.
 */
export function createHybridIndex(database: Database, texts: TextSearching, vectors: VectorSearching): HybridIndex {
  const { reader } = database;

  return {
    async search(userId, { terms, embedded }, { limit, filter, signal }) {
      signal?.throwIfAborted();
      const within = await texts.narrow(userId, terms, conditionOf(reader, userId, filter));
      const model = embedded === null ? null : await vectors.findModel(embedded.modelId);
      if (embedded === null || model?.dimensions !== embedded.vector.length) {
        const plan = await texts.plan(userId, terms);
        const { text } = await texts.search(plan, { limit, within, also: [], compared: null });
        return { text, nearest: embedded === null ? null : NOTHING_NEAR, late: new Map() };
      }
      const vector = toHalfvec(embedded.vector);
      const compared = { userId, model, vector };
      const [plan, near] = await Promise.all([
        texts.plan(userId, terms),
        vectors.nearest({ ...compared, limit, within }),
      ]);
      signal?.throwIfAborted();
      const also = near.hits.map(({ chunkId }) => chunkId);
      const request = { limit, within, also, compared: { modelId: model.id, vector } };
      const { text, similarities } = await texts.search(plan, request);
      const nearIds = new Set(also);
      const others = text.hits.map(({ chunkId }) => chunkId).filter((id) => !nearIds.has(id));
      // Texts within longer words and comments are rare, and ranked by another statement.
      const missing = others.filter((id) => !similarities.has(id));
      const more = await vectors.compare(compared, missing);
      const all = new Map(others.flatMap((id) => pairOf(id, similarities.get(id) ?? more.get(id))));
      const candidates = { text, nearest: { ...near, similarities: all } };
      return { ...candidates, late: await comparePassages(database, userId, model, embedded, candidates) };
    },
  };
}

function pairOf(id: number, similarity: number | undefined): [number, number][] {
  return similarity === undefined ? [] : [[id, similarity]];
}

/** The late-interaction scores of the best candidates that have passage vectors. */
async function comparePassages(
  { reader, isIn }: { reader: Kysely<Tables>; isIn: Database['isIn'] },
  userId: string,
  model: StoredModel,
  { late = null }: NonNullable<HybridQuery['embedded']>,
  candidates: Omit<Candidates, 'late'>,
): Promise<Candidates['late']> {
  if (late === null || late.tokens.length === 0 || late.tokens.length % model.dimensions !== 0) return new Map();
  const rows = await reader
    .selectFrom('passage_vectors')
    .select(['chunk_id', 'signs'])
    .where('user_id', '=', userId)
    .where('model_id', '=', model.id)
    .where(isIn('chunk_id', lateCandidates(candidates, late)))
    .execute();
  const signs = rows.map((row) => row.signs);
  const scores = scorePassages(late.tokens, model.dimensions, signs);
  const scored = rows.map(({ chunk_id }, at): [number, number | null] => [chunk_id, scores[at] ?? null]);
  return new Map(scored.filter(([, score]) => !Number.isNaN(score)));
}
