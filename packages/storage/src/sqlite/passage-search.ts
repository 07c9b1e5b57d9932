import type { PassageSearch } from '../dialect.js';
import type { Call } from './procedures/procedures.js';
import type { VectorAccess } from './vector-access.js';

/** Scores passages in the thread of a connection. */
export function createPassageSearch(call: Call, { findModel }: Pick<VectorAccess, 'findModel'>): PassageSearch {
  return async (userId, { modelId, tokens }, chunkIds) => {
    const model = await findModel(modelId);
    if (model === null || tokens.length === 0 || tokens.length % model.dimensions !== 0) return new Map();
    return call('scorePassages', { userId, modelId: model.id, tokens, dimensions: model.dimensions, chunkIds });
  };
}
