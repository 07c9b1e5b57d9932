import type { Database, PassageSearch } from '@recollect/storage';
import { createPassageScorer } from '@recollect/vector-scan';

export function createPassageSearch({ reader, list }: Database): PassageSearch {
  return async (userId, { modelId, tokens }, chunkIds) => {
    const rows = await reader
      .selectFrom('passage_vectors')
      .innerJoin('models', 'models.id', 'passage_vectors.model_id')
      .select(['passage_vectors.chunk_id', 'passage_vectors.signs', 'models.dimensions'])
      .where('passage_vectors.user_id', '=', userId)
      .where('models.name', '=', modelId)
      .where('passage_vectors.chunk_id', 'in', list.numbers(chunkIds))
      .execute();
    return new Map(
      rows.map(({ chunk_id, signs, dimensions }) => [chunk_id, createPassageScorer(tokens, dimensions)(signs)]),
    );
  };
}
