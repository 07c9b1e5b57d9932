import type { QueryAnswer, QueryResult } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import type { CorePorts } from '../core-ports.js';
import { RecollectError } from '../error.js';
import type { Memory, MemoryFilter } from '../memory.js';
import { makeExcerpt } from './make-excerpt.js';
import { type ParsedQuery, parseQuery } from './parse-query.js';
import { type Hit, SPARE, searchHits } from './search-hits.js';

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

/** A memory with its result in the answer. */
interface MemoryWithResult {
  memory: Memory;
  result: QueryResult;
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
      const { hits, ...found } = await searchHits(ports, userId, asked, { limit, signal });
      signal?.throwIfAborted();
      return { ...answerOf(query, await readResults(ports, userId, hits, asked, limit)), ...found };
    } catch (cause) {
      if (cause instanceof RecollectError || signal?.aborted) throw cause;
      throw new RecollectError('RETRIEVAL_FAILED', 'The store could not be searched. Try again.', { cause });
    }
  };
}

/** The operators of a query with the fields of its request, which win. */
export function mergeFilters(operators: MemoryFilter, fields: MemoryFilter): MemoryFilter {
  return {
    sourceType: fields.sourceType ?? operators.sourceType,
    site: fields.site ?? operators.site,
    tag: fields.tag ?? operators.tag,
    since: fields.since ?? operators.since,
    until: fields.until ?? operators.until,
    by: fields.by ?? operators.by,
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
  return listed.map((memory) => toResult(memory, makeExcerpt(memory.head, []), { score: 1, match: NO_MATCH }));
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
    .flatMap(({ memoryId, score, textShare }) => {
      const memory = found.get(memoryId);
      return memory === undefined
        ? []
        : [toResult(memory, makeExcerpt(memory.chunk, terms.terms), { score, match: matchOf(textShare) })];
    })
    .slice(0, limit);
}

/** A query of operators only matches by neither. */
const NO_MATCH: QueryResult['match'] = { text: 0, meaning: 0 };

/** The shares, rounded to two digits, which is all that people and programs need to know why a memory was found. */
function matchOf(textShare: number): QueryResult['match'] {
  const text = Math.round(textShare * 100) / 100;
  return { text, meaning: Math.round((1 - text) * 100) / 100 };
}

function toResult(
  memory: Memory,
  excerpt: string,
  { score, match }: Pick<QueryResult, 'score' | 'match'>,
): MemoryWithResult {
  const { id, title, sourceType, url, tags, capturedAt } = memory;
  return { memory, result: { id, title, sourceType, excerpt, url, score, tags: [...tags], capturedAt, match } };
}
