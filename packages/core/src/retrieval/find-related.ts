import { limits } from '@recollect/contract/limits';
import { urlKey } from '../capture/url-key.js';
import type { CorePorts } from '../core-ports.js';
import type { StoredMemory } from '../ports/index.js';
import { canRead } from './can-read.js';
import { findNeighbours, type Neighbour } from './find-neighbours.js';
import { createFold } from './stages/fold.js';
import { likelihoodOf } from './stages/likelihood.js';

/** Neighbours that are looked at for each related memory: some are versions of one page. */
const SPARE = 3;

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
    findNeighbours(ports, userId, memory.id, SPARE * limit),
    textIndex.frequencies(userId, []),
  ]);
  const fold = createFold(memories, userId);
  // Placed first, so that versions of its page and copies of a short text fold into it.
  const key = memory.url === null || memory.captureMode !== 'page' ? null : urlKey(memory.url);
  await fold.place({ ...memory, chunk: memory.text, versionOf: key === null ? null : { urlKey: key, versions: 1 } });
  const related: Neighbour[] = [];
  for (const neighbour of neighbours ?? []) {
    const similarity = (neighbour.similarity - floor) / Math.max(1 - floor, 1e-6);
    if (likelihoodOf({ text: 0, similarity, late: null, chunks }) < limits.query.likelyScore) break;
    if (!canRead(scripts, neighbour.chunk)) continue;
    if ((await fold.place(neighbour.memory)) >= 0) continue;
    related.push(neighbour);
    if (related.length === limit) break;
  }
  return related;
}
