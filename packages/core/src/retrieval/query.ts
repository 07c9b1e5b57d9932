import type { QueryAnswer, QueryResult } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import type { CorePorts } from '../create-core.js';
import { RecollectError } from '../error.js';
import type { Memory, MemoryFilter } from '../memory.js';
import type { EmbeddingModel, VectorHit } from '../ports/index.js';
import { fuseRankings } from './fuse-rankings.js';
import { makeExcerpt } from './make-excerpt.js';
import { type ParsedQuery, parseQuery } from './parse-query.js';

/** Candidates of each kind. */
const DEPTH = 200;

export interface QueryOptions {
  limit?: number;
  filter?: MemoryFilter;
}

export interface QueryOutcome {
  answer: QueryAnswer;
  /** `text` when no embedding of the query could be had in time. */
  retrieval: 'hybrid' | 'text';
}

export type QueryVerb = (userId: string, query: string, options?: QueryOptions) => Promise<QueryOutcome>;

interface Hit {
  chunkId: number;
  memoryId: string;
  score: number;
}

/** Finds memories by meaning and by word, best first, one result a memory. */
export function createQuery(ports: CorePorts): QueryVerb {
  return async (userId, query, { limit = limits.query.results.default, filter = {} } = {}) => {
    if (query.trim() === '') throw new RecollectError('QUERY_EMPTY', 'There is nothing to search for: send some words as the query.');
    const parsed = parseQuery(query);
    const asked = { ...parsed, filter: { ...parsed.filter, ...filter } };
    try {
      if (asked.text === '') {
        return { answer: { query, results: await newest(ports, userId, asked.filter, limit) }, retrieval: 'text' };
      }
      const { hits, retrieval } = await search(ports, userId, asked);
      return { answer: { query, results: await readResults(ports, userId, hits, asked, limit) }, retrieval };
    } catch (cause) {
      if (cause instanceof RecollectError) throw cause;
      throw new RecollectError('RETRIEVAL_FAILED', 'The store could not be searched. Try again.', { cause });
    }
  };
}

/** A query of filters alone asks for the newest memories that meet them. */
async function newest(
  { memories }: CorePorts,
  userId: string,
  filter: MemoryFilter,
  limit: number,
): Promise<QueryResult[]> {
  const listed = await memories.list(userId, { limit, after: null, filter });
  return listed.map((memory) => resultOf(memory, makeExcerpt(memory.head, []), 1));
}

async function search(ports: CorePorts, userId: string, { text, terms, filter }: ParsedQuery) {
  const { textIndex, vectorIndex, embeddingModel } = ports;
  const options = { limit: DEPTH, filter };
  const [textHits, nearest] = await Promise.all([
    textIndex.search(userId, terms, options),
    searchByMeaning(ports, userId, text, options),
  ]);
  const memoryOf = new Map([...textHits, ...(nearest?.hits ?? [])].map(({ chunkId, memoryId }) => [chunkId, memoryId]));
  const textScores = new Map(textHits.map(({ chunkId, score }) => [chunkId, score]));
  let similarities: Map<number, number> | null = null;
  if (nearest !== null && embeddingModel !== null) {
    similarities = new Map(nearest.hits.map(({ chunkId, similarity }) => [chunkId, similarity]));
    const notNear = textHits.map(({ chunkId }) => chunkId).filter((id) => !similarities?.has(id));
    const notMatched = [...similarities.keys()].filter((id) => !textScores.has(id));
    // A list that is not full holds every match: who is not on it scores 0.
    const [missingSimilarities, missingScores] = await Promise.all([
      notNear.length === 0 ? [] : vectorIndex.similarities(userId, embeddingModel.id, nearest.vector, notNear),
      notMatched.length === 0 || textHits.length < DEPTH ? [] : textIndex.scores(userId, terms, notMatched),
    ]);
    for (const [id, similarity] of missingSimilarities) similarities.set(id, similarity);
    for (const [id, score] of missingScores) textScores.set(id, score);
  }
  const fused = fuseRankings(textScores, similarities);
  return { hits: bestChunks(fused, memoryOf), retrieval: similarities === null ? ('text' as const) : ('hybrid' as const) };
}

async function searchByMeaning(
  { embeddingModel, vectorIndex }: CorePorts,
  userId: string,
  text: string,
  options: { limit: number; filter: MemoryFilter },
): Promise<{ vector: Float32Array; hits: VectorHit[] } | null> {
  const vector = embeddingModel === null ? null : await embedQuery(embeddingModel, text);
  if (vector === null || embeddingModel === null) return null;
  return { vector, hits: await vectorIndex.search(userId, embeddingModel.id, vector, options) };
}

/** The query's embedding, or null when the model fails or is too slow (QRY-4). */
async function embedQuery(model: EmbeddingModel, text: string): Promise<Float32Array | null> {
  const signal = AbortSignal.timeout(limits.query.embeddingMs);
  const tooLate = new Promise<null>((resolve) => signal.addEventListener('abort', () => resolve(null), { once: true }));
  try {
    const embedded = model.embed([text], { purpose: 'query', signal }).then(([vector]) => vector ?? null);
    return await Promise.race([embedded, tooLate]);
  } catch {
    return null;
  }
}

/** The best chunk of each memory, best memory first; of equal ones the newer. */
function bestChunks(fused: ReadonlyMap<number, number>, memoryOf: ReadonlyMap<number, string>): Hit[] {
  const best = new Map<string, Hit>();
  for (const [chunkId, score] of fused) {
    const memoryId = memoryOf.get(chunkId);
    if (memoryId === undefined || score <= (best.get(memoryId)?.score ?? 0)) continue;
    best.set(memoryId, { chunkId, memoryId, score });
  }
  return [...best.values()].sort((a, b) => b.score - a.score || (a.memoryId < b.memoryId ? 1 : -1));
}

async function readResults(
  { memories }: CorePorts,
  userId: string,
  hits: readonly Hit[],
  { terms }: ParsedQuery,
  limit: number,
): Promise<QueryResult[]> {
  // A few more than asked for, in case one is deleted between search and read.
  const wanted = hits.slice(0, limit + 5);
  const found = await memories.readHits(userId, wanted);
  return wanted
    .flatMap(({ memoryId, score }) => {
      const memory = found.get(memoryId);
      return memory === undefined ? [] : [resultOf(memory, makeExcerpt(memory.chunk, terms.terms), score)];
    })
    .slice(0, limit);
}

function resultOf({ id, title, sourceType, url }: Memory, excerpt: string, score: number): QueryResult {
  return { id, title, sourceType, excerpt, url, score };
}
