import { limits } from '@recollect/contract/limits';
import type { CorePorts } from '../ports/core-ports.js';
import type { FoundMemory, StoredMemory } from '../ports/index.js';
import { urlKey } from '../text/url-key.js';
import { canRead } from './choose-model.js';

import { createDeduplicator } from './stages/deduplicate.js';
import { likelihoodOf } from './stages/likelihood.js';

/** Neighbours that are looked at for each related memory: some are versions of one page. */
const NEIGHBOURS_PER_RESULT = 3;

type RelatedPorts = Pick<CorePorts, 'embeddingModel' | 'vectorIndex' | 'textIndex' | 'memories'>;

/**
 * The memories whose texts are about the same, most similar first. They are cut and folded as the results of a search
 * are: none that chance explains, nothing in a script that the model does not read, and one of several texts that are
 * nearly the same.
 */
export async function findRelated(
  ports: RelatedPorts,
  userId: string,
  memory: StoredMemory,
  limit: number,
): Promise<Neighbour[]> {
  const { embeddingModel, textIndex, memories } = ports;
  if (embeddingModel === null) return [];
  const { scripts, similarityFloor: floor } = embeddingModel.profile;
  if (!canRead(scripts, memory.text)) return [];
  const [neighbours, { total: chunks }] = await Promise.all([
    findNeighbours(ports, userId, memory.id, NEIGHBOURS_PER_RESULT * limit),
    textIndex.frequencies(userId, []),
  ]);
  const deduplicator = createDeduplicator(memories, userId);
  // Placed first, so that versions of its page and copies of a short text fold into it.
  const key = memory.url === null || memory.captureMode !== 'page' ? null : urlKey(memory.url);
  await deduplicator.place({
    ...memory,
    chunk: memory.text,
    versionOf: key === null ? null : { urlKey: key, versions: 1 },
  });
  const related: Neighbour[] = [];
  for (const neighbour of neighbours ?? []) {
    const similarity = (neighbour.similarity - floor) / Math.max(1 - floor, 1e-6);
    if (likelihoodOf({ text: 0, similarity, late: null, chunks }) < limits.query.likelyScore) break;
    if (!canRead(scripts, neighbour.chunk)) continue;
    if ((await deduplicator.place(neighbour.memory)) >= 0) continue;
    related.push(neighbour);
    if (related.length === limit) break;
  }
  return related;
}

/** Maximum number of chunks examined: one memory with many chunks can fill the first results. */
const MAX_DEPTH = 2_000;

interface Neighbour {
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
