import type { Kysely } from 'kysely';
import type { HybridSearch } from '../dialect.js';
import type { Tables } from '../tables.js';
import type { Pool } from './pool.js';
import { conditionOf } from './procedures/condition.js';
import type { VectorAccess } from './vector-access.js';

const NONE = { hits: [], similarities: new Map<number, number>() };

/** Both indexes in one message to a connection. */
export function createHybridSearch(
  db: Kysely<Tables>,
  { callWhile }: Pick<Pool, 'callWhile'>,
  access: VectorAccess,
): HybridSearch {
  return async (userId, { terms, embedded }, { limit, filter, sequence, signal }) => {
    const call = callWhile(signal);
    const within = conditionOf(db, userId, filter);
    const text = { userId, query: terms, limit, within };
    const model = embedded === null ? null : await access.findModel(embedded.modelId);
    if (embedded === null || model?.dimensions !== embedded.vector.length) {
      const candidates = await call('searchBoth', { text, vectors: null }, null);
      return { ...candidates, nearest: embedded === null ? null : NONE };
    }
    const vectors = { userId, modelId: model.id, vector: embedded.vector, limit, filter, within };
    return access.search(model, sequence, (known) => call('searchBoth', { text, vectors }, known));
  };
}
