import type { HybridIndex } from '@recollect/core';
import type { Kysely } from 'kysely';
import type { Tables } from '../tables.js';
import type { Pool } from './pool.js';
import { conditionOf } from './procedures/condition.js';
import type { VectorAccess } from './vector-access.js';

const NONE = { hits: [], similarities: new Map<number, number>() };

/** Both indexes in one message to a connection, and the scores of passages in another. */
export function createHybridIndex(
  db: Kysely<Tables>,
  { call, callWhile }: Pick<Pool, 'call' | 'callWhile'>,
  access: VectorAccess,
): HybridIndex {
  return {
    async search(userId, { terms, embedded }, { limit, filter, signal }) {
      const search = callWhile(signal);
      const within = conditionOf(db, userId, filter);
      const text = { userId, query: terms, limit, within };
      const model = embedded === null ? null : await access.findModel(embedded.modelId);
      if (embedded === null || model?.dimensions !== embedded.vector.length) {
        const candidates = await search('searchBoth', { text, vectors: null }, null);
        return { ...candidates, nearest: embedded === null ? null : NONE };
      }
      const vectors = { userId, modelId: model.id, vector: embedded.vector, limit, filter, within };
      return access.search(model, (known) => search('searchBoth', { text, vectors }, known));
    },

    async scorePassages(userId, { modelId, tokens }, chunkIds) {
      const model = await access.findModel(modelId);
      if (model === null || tokens.length === 0 || tokens.length % model.dimensions !== 0) return new Map();
      return call('scorePassages', { userId, modelId: model.id, tokens, dimensions: model.dimensions, chunkIds });
    },
  };
}
