import type { CorePorts } from '../core-ports.js';
import type { FoundMemory } from '../ports/index.js';

/** Maximum number of chunks examined: one memory with many chunks can fill the first results. */
const MAX_DEPTH = 2_000;

export interface Neighbour {
  memory: FoundMemory;
  /** The text of its nearest chunk. */
  chunk: string;
  /** Cosine similarity between the centre of the given memory and the nearest chunk of this one. */
  similarity: number;
}

/** The most similar memories, nearest first. Null while the given memory has no embedding. */
export async function findNeighbours(
  { embeddingModel, vectorIndex, memories }: Pick<CorePorts, 'embeddingModel' | 'vectorIndex' | 'memories'>,
  userId: string,
  id: string,
  limit: number,
): Promise<Neighbour[] | null> {
  const centre = embeddingModel === null ? null : await vectorIndex.centre(userId, embeddingModel.id, id);
  if (embeddingModel === null || centre === null) return null;
  for (let depth = 4 * limit + 16; ; depth = Math.min(4 * depth, MAX_DEPTH)) {
    const { hits } = await vectorIndex.search(userId, embeddingModel.id, centre, { limit: depth, filter: {} });
    const nearest = new Map<string, (typeof hits)[number]>();
    for (const hit of hits) if (hit.memoryId !== id && !nearest.has(hit.memoryId)) nearest.set(hit.memoryId, hit);
    if (nearest.size < limit && hits.length === depth && depth < MAX_DEPTH) continue;
    const best = [...nearest.values()].slice(0, limit);
    const read = await memories.readHits(userId, best);
    return best.flatMap(({ memoryId, similarity }) => {
      const memory = read.get(memoryId);
      return memory === undefined ? [] : [{ memory, chunk: memory.chunk, similarity }];
    });
  }
}
