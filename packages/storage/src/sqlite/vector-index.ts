import type { VectorIndex } from '@recollect/core';
import type { Database } from '../dialect.js';
import { meanOf } from '../indexing/mean-of.js';
import { conditionOf } from './procedures/condition.js';
import type { Call } from './procedures/procedures.js';
import type { VectorAccess } from './vector-access.js';

/** Nearest vectors, in memory or on disk. */
export function createVectorIndex({ reader }: Database, call: Call, access: VectorAccess): VectorIndex {
  return {
    async search(userId, modelName, vector, { limit, filter, also = [] }) {
      const model = await access.findModel(modelName);
      if (model?.dimensions !== vector.length) return { hits: [], beyond: null, similarities: new Map() };
      const within = conditionOf(reader, userId, filter);
      const request = { userId, modelId: model.id, vector, limit, filter, within, also };
      return access.search(model, (known) => call('searchVectors', request, known));
    },

    async centre(userId, modelName, memoryId) {
      const rows = await reader
        .selectFrom('embeddings')
        .innerJoin('models', 'models.id', 'embeddings.model_id')
        .innerJoin('chunks', 'chunks.id', 'embeddings.chunk_id')
        .select('embeddings.vector')
        .where('embeddings.user_id', '=', userId)
        .where('models.name', '=', modelName)
        .where('chunks.user_id', '=', userId)
        .where('chunks.memory_id', '=', memoryId)
        .execute();
      return meanOf(rows.map(({ vector }) => vector));
    },

    async warmUp(modelName) {
      const model = await access.findModel(modelName);
      if (model !== null) await access.load(model);
    },
  };
}
