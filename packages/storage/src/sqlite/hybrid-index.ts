import type { HybridIndex } from '@recollect/core';
import type { Kysely } from 'kysely';
import type { Tables } from '../tables.js';
import type { Pool } from './pool.js';
import { conditionOf } from './procedures/condition.js';
import type { VectorAccess } from './vector-access.js';

const NONE = { hits: [], beyond: null, similarities: new Map<number, number>() };

/** Both indexes, and the passage vectors of the best candidates, in one message to a connection. */
export function createHybridIndex(
  db: Kysely<Tables>,
  { callWithin }: Pick<Pool, 'callWithin'>,
  access: VectorAccess,
): HybridIndex {
  return {
    async search(userId, { terms, embedded }, { limit, filter, signal, budget }) {
      const search = callWithin({ signal, budget });
      const within = conditionOf(db, userId, filter);
      const text = { userId, query: terms, limit, within };
      const model = embedded === null ? null : await access.findModel(embedded.modelId);
      if (embedded === null || model?.dimensions !== embedded.vector.length) {
        const candidates = await search('searchBoth', { text, vectors: null, late: null }, null);
        return { ...candidates, nearest: embedded === null ? null : NONE };
      }
      const vectors = { userId, modelId: model.id, vector: embedded.vector, limit, filter, within };
      const { late = null } = embedded;
      return access.search(model, (known) => search('searchBoth', { text, vectors, late }, known));
    },
  };
}
