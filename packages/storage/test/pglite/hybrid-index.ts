import type { Candidates, HybridIndex, HybridQuery, TextIndex, VectorIndex } from '@recollect/core';
import { lateCandidates } from '@recollect/core/threads';
import type { Database } from '@recollect/storage';
import { scorePassages } from '@recollect/vector-scan';
import { sql } from 'kysely';
import { containing } from './text-index.js';

/**
 * Asks for the nearest vectors, then for texts and the scores of those vectors, then for the similarities of those
 * texts, then for the passage vectors of the best.
 */
export function createHybridIndex(
  { reader, isIn }: Database,
  textIndex: TextIndex,
  vectorIndex: VectorIndex,
): HybridIndex {
  const compare = async (
    userId: string,
    embedded: HybridQuery['embedded'],
    found: Omit<Candidates, 'late'>,
  ): Promise<Candidates['late']> => {
    if (embedded === null || embedded.late == null) return new Map();
    const { tokens } = embedded.late;
    const rows = await reader
      .selectFrom('passage_vectors')
      .innerJoin('models', 'models.id', 'passage_vectors.model_id')
      .select(['passage_vectors.chunk_id', 'passage_vectors.signs', 'models.dimensions'])
      .where('passage_vectors.user_id', '=', userId)
      .where('models.name', '=', embedded.modelId)
      .where(isIn('passage_vectors.chunk_id', lateCandidates(found, embedded.late)))
      .execute();
    return new Map(
      rows.map(({ chunk_id, signs, dimensions }) => [chunk_id, scorePassages(tokens, dimensions, [signs])[0] ?? null]),
    );
  };

  return {
    async search(userId, { terms, embedded }, { limit, filter }) {
      const nearest = (options: Parameters<VectorIndex['search']>[3]) =>
        embedded === null ? null : vectorIndex.search(userId, embedded.modelId, embedded.vector, options);
      const found = await nearest({ limit, filter });
      const { rows } = await sql<{ id: string }>`${containing(userId, terms)}`.execute(reader);
      const allowed = new Set(rows.map(({ id }) => id));
      const near = found && { ...found, hits: found.hits.filter(({ memoryId }) => allowed.has(memoryId)) };
      const nearIds = new Set(near?.hits.map(({ chunkId }) => chunkId));
      const text = await textIndex.search(userId, terms, { limit, filter, also: [...nearIds] });
      const also = text.hits.map(({ chunkId }) => chunkId).filter((id) => !nearIds.has(id));
      const others = await nearest({ limit: 0, filter: {}, also });
      if (near === null || others === null) return { text, nearest: null, late: new Map() };
      const both = { text, nearest: { ...near, similarities: others.similarities } };
      return { ...both, late: await compare(userId, embedded, both) };
    },
  };
}
