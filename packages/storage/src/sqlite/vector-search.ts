import type { Database, VectorSearch } from '../dialect.js';
import { meanOf } from '../indexing/mean-of.js';
import { conditionOf } from './procedures/condition.js';
import type { Call } from './procedures/procedures.js';
import type { VectorAccess } from './vector-access.js';

export function createVectorSearch({ reader }: Database, call: Call, access: VectorAccess): VectorSearch {
  return {
    async search(userId, modelName, vector, { limit, filter, also = [], sequence }) {
      const model = await access.findModel(modelName);
      if (model?.dimensions !== vector.length) return { hits: [], similarities: new Map() };
      const within = conditionOf(reader, userId, filter);
      const request = { userId, modelId: model.id, vector, limit, filter, within, also };
      return access.search(model, sequence, (known) => call('searchVectors', request, known));
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
