import { limits } from '@recollect/contract/limits';
import type { CorePorts } from '../core-ports.js';
import type { MemoryFilter } from '../memory.js';
import type { EmbeddingModel, TextQuery, VectorHit } from '../ports/index.js';
import { type FusedScore, type FusionOptions, fuseRankings } from './fuse-rankings.js';
import type { ParsedQuery } from './parse-query.js';

/** Initial and maximum number of candidates of each kind. On Cranfield, 200 found nothing that 120 did not. */
const DEPTH = 120;
const MAX_DEPTH = 20_000;
/** Extra results to read, in case one is deleted between search and read. */
export const SPARE = 5;

type SearchPorts = Pick<CorePorts, 'textIndex' | 'vectorIndex' | 'embeddingModel'>;

/** A memory that was found, by its best chunk. */
export interface Hit extends FusedScore {
  chunkId: number;
  memoryId: string;
}

export interface FoundHits {
  hits: Hit[];
  /** `text` when the query could not be embedded in time. */
  retrieval: 'hybrid' | 'text';
  /** Whether there is a model, and it failed or was too slow. */
  isDegraded: boolean;
}

/**
 * Searches full text and vectors, gives each candidate its true score from the other side, and fuses them. Returns the best chunk of
 * each memory, best first.
 */
export async function searchHits(
  ports: SearchPorts,
  userId: string,
  { text, terms, filter }: ParsedQuery,
  { limit, signal }: { limit: number; signal: AbortSignal | undefined },
): Promise<FoundHits> {
  const profile = ports.embeddingModel?.profile;
  const vector = ports.embeddingModel === null ? null : embedQuery(ports.embeddingModel, text, signal);
  // One memory with many chunks can fill a result list. A deeper search then finds the memories behind it.
  for (let depth = DEPTH; ; depth *= 10) {
    const options = { limit: depth, filter };
    const [{ hits: textHits, isComplete, coverage }, nearest] = await Promise.all([
      ports.textIndex.search(userId, terms, options),
      vector?.then((embedded) => searchVectors(ports, userId, embedded, options)) ?? null,
    ]);
    signal?.throwIfAborted();
    const memoryOf = new Map(
      [...textHits, ...(nearest?.hits ?? [])].map(({ chunkId, memoryId }) => [chunkId, memoryId]),
    );
    const isFull = textHits.length === depth || nearest?.hits.length === depth;
    if (isFull && depth < MAX_DEPTH && new Set(memoryOf.values()).size < limit) continue;
    const candidates: Candidates = {
      memoryOf,
      fusion: { weight: profile?.fusionWeight ?? 0, floor: profile?.similarityFloor ?? 0, coverage },
      text: new Map(textHits.map(({ chunkId, score }) => [chunkId, score])),
      similarity:
        nearest === null ? null : new Map(nearest.hits.map(({ chunkId, similarity }) => [chunkId, similarity])),
    };
    if (nearest !== null) {
      await addSimilarities(ports, userId, nearest.vector, candidates);
      // In a complete list, every chunk that is missing scores 0.
      if (!isComplete) await addTextScores(ports, userId, terms, candidates, limit);
    }
    const isDegraded = ports.embeddingModel !== null && nearest === null;
    return { hits: rank(candidates), retrieval: nearest === null ? 'text' : 'hybrid', isDegraded };
  }
}

/** The chunks that either search found, with their known scores. */
interface Candidates {
  memoryOf: ReadonlyMap<number, string>;
  fusion: FusionOptions;
  text: Map<number, number>;
  similarity: Map<number, number> | null;
}

function rank({ memoryOf, fusion, text, similarity }: Candidates): Hit[] {
  return bestChunks(fuseRankings(text, similarity, fusion), memoryOf);
}

/** Adds the true similarity of the full-text hits. */
async function addSimilarities(
  { vectorIndex, embeddingModel }: SearchPorts,
  userId: string,
  vector: Float32Array,
  { text, similarity }: Candidates,
): Promise<void> {
  const unknown = [...text.keys()].filter((id) => !similarity?.has(id));
  if (unknown.length === 0 || embeddingModel === null) return;
  const found = await vectorIndex.similarities(userId, embeddingModel.id, vector, unknown);
  for (const [id, value] of found) similarity?.set(id, value);
}

/**
 * Adds the true text score of the vector hits, which is at most the lowest score among the full-text hits. This needs a
 * second full-text pass, so it is skipped when even that bound would lift none of them into the results.
 */
async function addTextScores(
  { textIndex }: SearchPorts,
  userId: string,
  terms: TextQuery,
  candidates: Candidates,
  limit: number,
): Promise<void> {
  const unknown = [...(candidates.similarity?.keys() ?? [])].filter((id) => !candidates.text.has(id));
  let least = Number.POSITIVE_INFINITY;
  for (const score of candidates.text.values()) least = Math.min(least, score);
  const optimistic = {
    ...candidates,
    text: new Map([...candidates.text, ...unknown.map((id): [number, number] => [id, least])]),
  };
  const isUnknown = new Set(unknown);
  if (
    !rank(optimistic)
      .slice(0, limit + SPARE)
      .some(({ chunkId }) => isUnknown.has(chunkId))
  )
    return;
  const scores = await textIndex.scores(userId, terms, unknown);
  for (const [id, score] of scores) candidates.text.set(id, score);
}

async function searchVectors(
  { embeddingModel, vectorIndex }: SearchPorts,
  userId: string,
  vector: Float32Array | null,
  options: { limit: number; filter: MemoryFilter },
): Promise<{ vector: Float32Array; hits: VectorHit[] } | null> {
  if (vector === null || embeddingModel === null) return null;
  return { vector, hits: await vectorIndex.search(userId, embeddingModel.id, vector, options) };
}

/** Embeds the query. Null when the model fails or is too slow (QRY-4). */
async function embedQuery(
  model: EmbeddingModel,
  text: string,
  ended: AbortSignal | undefined,
): Promise<Float32Array | null> {
  const timeLimit = AbortSignal.timeout(limits.query.embeddingMs);
  const signal = ended === undefined ? timeLimit : AbortSignal.any([timeLimit, ended]);
  const timedOut = new Promise<null>((resolve) =>
    signal.addEventListener('abort', () => resolve(null), { once: true }),
  );
  try {
    const embedded = model.embed([text], { purpose: 'query', signal }).then(([vector]) => vector ?? null);
    return await Promise.race([embedded, timedOut]);
  } catch {
    return null;
  }
}

/** The best chunk of each memory, best memory first. On equal scores the newer memory comes first. */
function bestChunks(fused: ReadonlyMap<number, FusedScore>, memoryOf: ReadonlyMap<number, string>): Hit[] {
  const best = new Map<string, Hit>();
  for (const [chunkId, fusedScore] of fused) {
    const memoryId = memoryOf.get(chunkId);
    if (memoryId === undefined || fusedScore.score <= (best.get(memoryId)?.score ?? 0)) continue;
    best.set(memoryId, { chunkId, memoryId, ...fusedScore });
  }
  return [...best.values()].sort((a, b) => b.score - a.score || (a.memoryId < b.memoryId ? 1 : -1));
}
