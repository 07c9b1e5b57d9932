import type { SearchTest } from '@recollect/contract';
import type { CorePorts } from '../core-ports.js';
import type { QueryVerb } from '../retrieval/query.js';
import { type KnownItem, knownItems } from './known-items.js';

/** Questions of each kind: enough for shares that mean something, and asked within seconds. */
const QUESTIONS = 50;
/** Missed questions of each kind that are named. */
const NAMED = 5;
const TEN = 10;

/**
 * Asks questions that are made from the user's own memories, and counts how many of these are found. Reads nothing
 * else.
 */
export type SearchTestVerb = (userId: string, options?: { signal?: AbortSignal | undefined }) => Promise<SearchTest>;

/**
 * Makes the verb that tests search on the stored memories (QRY-18).
 *
 * @example
 * const test = createSearchTest({ ...storage, embeddingModel }, query);
 * const { queries, inTen } = await test('local');
 */
export function createSearchTest(
  ports: Pick<CorePorts, 'memories' | 'highlights' | 'embeddingModel'>,
  query: QueryVerb,
): SearchTestVerb {
  return async (userId, { signal } = {}) => {
    const kinds: SearchTest['kinds'] = [];
    const countsOf = ({ kind }: KnownItem) => {
      const known = kinds.find((one) => one.kind === kind);
      if (known !== undefined) return known;
      const counts = { kind, queries: 0, first: 0, inTen: 0, missed: [] };
      kinds.push(counts);
      return counts;
    };
    for await (const item of knownItems(ports, userId, QUESTIONS)) {
      const counts = countsOf(item);
      const place = await placeOf(query, userId, item, signal);
      counts.queries += 1;
      if (place === 0) counts.first += 1;
      if (place >= 0) counts.inTen += 1;
      else if (counts.missed.length < NAMED) counts.missed.push({ query: item.query, id: item.id, title: item.title });
    }
    const sum = (name: 'queries' | 'first' | 'inTen') => kinds.reduce((total, kind) => total + kind[name], 0);
    const model = ports.embeddingModel?.id ?? null;
    return { model, queries: sum('queries'), first: sum('first'), inTen: sum('inTen'), kinds };
  };
}

/**
 * The place of a memory among the first ten results; -1 if it is not there. A result also stands for those that it
 * folds.
 */
async function placeOf(
  query: QueryVerb,
  userId: string,
  { query: text, id }: KnownItem,
  signal: AbortSignal | undefined,
): Promise<number> {
  // Quotation marks would make it a phrase, in whose words nothing may differ.
  const { answer } = await query(userId, text.replaceAll('"', ' '), { limit: TEN, asTyped: true, signal });
  return answer.results.findIndex((result) => result.id === id || result.similar.some((other) => other.id === id));
}
