import type { QueryAnswer, QueryResult } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import type { CorePorts } from '../core-ports.js';
import { RecollectError } from '../error.js';
import type { Memory, MemoryFilter } from '../memory.js';
import type { EmbeddingModel, TextQuery, VectorHit } from '../ports/index.js';
import { type FusionOptions, fuseRankings } from './fuse-rankings.js';
import { makeExcerpt } from './make-excerpt.js';
import { type ParsedQuery, parseQuery } from './parse-query.js';

/** Initial and maximum number of candidates of each kind. On Cranfield, 200 found nothing that 120 did not. */
const DEPTH = 120;
const MAX_DEPTH = 20_000;
/** Extra results to read, in case one is deleted between search and read. */
const SPARE = 5;

/** What searching needs. */
export type QueryPorts = Pick<CorePorts, 'memories' | 'textIndex' | 'vectorIndex' | 'embeddingModel'>;

export interface QueryOptions {
  limit?: number | undefined;
  filter?: MemoryFilter | undefined;
  /** Cancels the search, which then throws the signal's reason. */
  signal?: AbortSignal | undefined;
}

export interface QueryOutcome {
  answer: QueryAnswer;
  /** The memories of the results, in the same order. */
  memories: readonly Memory[];
  /** `text` when no embedding of the query was available in time. */
  retrieval: 'hybrid' | 'text';
  /** Whether a model is configured but failed or was too slow. */
  isDegraded: boolean;
}

export type QueryVerb = (userId: string, query: string, options?: QueryOptions) => Promise<QueryOutcome>;

interface Found extends Omit<QueryOutcome, 'answer' | 'memories'> {
  hits: Hit[];
}

/** A memory with its result in the answer. */
interface MemoryWithResult {
  memory: Memory;
  result: QueryResult;
}

interface Hit {
  chunkId: number;
  memoryId: string;
  score: number;
}

/**
 * Makes the verb that finds memories by meaning and by word, best first, one result a memory.
 *
 * @example
 * const query = createQuery({ ...storage, embeddingModel });
 * const { answer, retrieval } = await query('local', 'how hot for tea site:example.org', { limit: 5 });
 */
export function createQuery(ports: QueryPorts): QueryVerb {
  return async (userId, query, { limit = limits.query.results.default, filter = {}, signal } = {}) => {
    if (query.trim() === '')
      throw new RecollectError('QUERY_EMPTY', 'The query is empty. Send some words to search for.');
    if (query.length > limits.query.length) {
      const message = `must have at most ${limits.query.length} characters`;
      throw new RecollectError('VALIDATION_FAILED', `The query ${message}.`, {
        errors: [{ pointer: '/query', message }],
      });
    }
    signal?.throwIfAborted();
    const parsed = parseQuery(query);
    const asked = { ...parsed, filter: mergeFilters(parsed.filter, filter) };
    try {
      if (asked.text === '') {
        const placed = await newest(ports, userId, asked.filter, limit);
        return { ...answerOf(query, placed), retrieval: 'text', isDegraded: false };
      }
      const { hits, ...found } = await search(ports, userId, asked, { limit, signal });
      signal?.throwIfAborted();
      return { ...answerOf(query, await readResults(ports, userId, hits, asked, limit)), ...found };
    } catch (cause) {
      if (cause instanceof RecollectError || signal?.aborted) throw cause;
      throw new RecollectError('RETRIEVAL_FAILED', 'The store could not be searched. Try again.', { cause });
    }
  };
}

/** The operators of a query with the fields of its request, which win. */
function mergeFilters(operators: MemoryFilter, fields: MemoryFilter): MemoryFilter {
  return {
    sourceType: fields.sourceType ?? operators.sourceType,
    site: fields.site ?? operators.site,
    tag: fields.tag ?? operators.tag,
    since: fields.since ?? operators.since,
    until: fields.until ?? operators.until,
  };
}

function answerOf(query: string, placed: readonly MemoryWithResult[]): Pick<QueryOutcome, 'answer' | 'memories'> {
  return {
    answer: { query, results: placed.map(({ result }) => result) },
    memories: placed.map(({ memory }) => memory),
  };
}

/** A query with only filters returns the newest memories that match them. */
async function newest(
  { memories }: QueryPorts,
  userId: string,
  filter: MemoryFilter,
  limit: number,
): Promise<MemoryWithResult[]> {
  const listed = await memories.list(userId, { limit, after: null, filter });
  return listed.map((memory) => toResult(memory, makeExcerpt(memory.head, []), 1));
}

async function search(
  ports: QueryPorts,
  userId: string,
  { text, terms, filter }: ParsedQuery,
  { limit, signal }: { limit: number; signal: AbortSignal | undefined },
): Promise<Found> {
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
  { vectorIndex, embeddingModel }: QueryPorts,
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
  { textIndex }: QueryPorts,
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
  { embeddingModel, vectorIndex }: QueryPorts,
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
  { memories }: QueryPorts,
  userId: string,
  hits: readonly Hit[],
  { terms }: ParsedQuery,
  limit: number,
): Promise<MemoryWithResult[]> {
  const wanted = hits.slice(0, limit + SPARE);
  const found = await memories.readHits(userId, wanted);
  return wanted
    .flatMap(({ memoryId, score }) => {
      const memory = found.get(memoryId);
      return memory === undefined ? [] : [toResult(memory, makeExcerpt(memory.chunk, terms.terms), score)];
    })
    .slice(0, limit);
}

function toResult(memory: Memory, excerpt: string, score: number): MemoryWithResult {
  const { id, title, sourceType, url } = memory;
  return { memory, result: { id, title, sourceType, excerpt, url, score } };
}
