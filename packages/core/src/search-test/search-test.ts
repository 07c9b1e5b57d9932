import type { SearchTest } from '@recollect/contract';
import { sliceText, stopWords } from '@recollect/contract/text';
import type { CorePorts } from '../ports/core-ports.js';
import type { StoredMemory } from '../ports/index.js';
import type { QueryUseCase } from '../retrieval/query.js';

/** Questions of each kind: enough for shares that mean something, and asked within seconds. */
const QUESTIONS = 50;
/** Missed questions of each kind that are named. */
const MAX_REPORTED_MISSES = 5;
const MAX_RESULTS = 10;

/**
 * Asks questions that are made from the user's own memories, and counts how many of these are found. Reads nothing
 * else.
 */
export type SearchTestUseCase = (userId: string, options?: { signal?: AbortSignal | undefined }) => Promise<SearchTest>;

/**
 * Makes the use case that tests search on the stored memories (QRY-18).
 *
 * @example
 * const test = createSearchTest({ ...storage, embeddingModel }, query);
 * const { queries, inTen } = await test('local');
 */
export function createSearchTest(
  ports: Pick<CorePorts, 'memories' | 'highlights' | 'embeddingModel'>,
  query: QueryUseCase,
): SearchTestUseCase {
  return async (userId, { signal } = {}) => {
    const kinds: SearchTest['kinds'] = [];
    const countsOf = ({ kind }: KnownItem) => {
      const kindCounts = kinds.find((entry) => entry.kind === kind);
      if (kindCounts !== undefined) return kindCounts;
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
      else if (counts.missed.length < MAX_REPORTED_MISSES)
        counts.missed.push({ query: item.query, id: item.id, title: item.title });
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
  query: QueryUseCase,
  userId: string,
  { query: text, id }: KnownItem,
  signal: AbortSignal | undefined,
): Promise<number> {
  // Quotation marks would make it a phrase, in whose words nothing may differ.
  const { answer } = await query(userId, text.replaceAll('"', ' '), { limit: MAX_RESULTS, asTyped: true, signal });
  return answer.results.findIndex((result) => result.id === id || result.similar.some((other) => other.id === id));
}

/** The source of a question. */
type KnownItemKind = 'titles' | 'sentences' | 'highlights';

/** A question whose answer is known. */
interface KnownItem {
  kind: KnownItemKind;
  query: string;
  /** The memory that it must find. */
  id: string;
  title: string;
}

/** Number of words from a sentence in a question, as people remember it. */
const WORDS_PER_QUESTION = 6;
/** Words that say something, which a sentence must have. */
const MIN_CONTENT_WORDS = 4;
/** Characters of a title or a highlight that are asked for. */
const MAX_QUESTION_CHARACTERS = 200;

/**
 * Makes questions from memories themselves, as in known-item search (Azzopardi, de Rijke, Balog, "Building simulated
 * queries for known-item topics", SIGIR 2007): titles, remembered words of a sentence in the middle of the text, and
 * highlights. The same store always gives the same questions.
 *
 * @param most at most so many of each kind
 */
async function* knownItems(
  { memories, highlights }: Pick<CorePorts, 'memories' | 'highlights'>,
  userId: string,
  most: number,
): AsyncGenerator<KnownItem> {
  for (const id of everyNth(await memories.matching(userId, {}), most)) {
    const memory = await memories.find(userId, id);
    // A search finds memories of plugins only on request.
    if (memory === null || memory.savedBy?.client === 'plugin') continue;
    const { title } = memory;
    if (/[\p{L}\p{N}]/u.test(title))
      yield { kind: 'titles', query: sliceText(title, 0, MAX_QUESTION_CHARACTERS), id, title };
    const words = rememberedWords(memory);
    if (words !== null) yield { kind: 'sentences', query: words, id, title };
  }
  const marked = await highlights.list(userId, { memoryId: null, words: [], limit: most, after: null });
  for (const { quote, memoryId, title } of marked)
    yield { kind: 'highlights', query: sliceText(quote, 0, MAX_QUESTION_CHARACTERS), id: memoryId, title };
}

/** At most `most` items, evenly spread. */
function everyNth<T>(items: readonly T[], most: number): T[] {
  const step = Math.max(1, items.length / most);
  return Array.from({ length: Math.min(most, items.length) }, (_, at) => items[Math.floor(at * step)] as T);
}

/** The longest words of a sentence near the middle of a text, in their order. Null if no sentence has enough. */
function rememberedWords({ text }: StoredMemory): string | null {
  const sentences = text.split(/(?<=[.!?。？！])\s+|\n+/);
  const middle = Math.floor(sentences.length / 2);
  for (const sentence of [...sentences.slice(middle), ...sentences.slice(0, middle)]) {
    if (/https?:|[<>{}|]/.test(sentence)) continue;
    const words = (sentence.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).filter((word) => !stopWords.has(word.toLowerCase()));
    if (words.length < MIN_CONTENT_WORDS) continue;
    const longest = new Set([...words].sort((a, b) => b.length - a.length).slice(0, WORDS_PER_QUESTION));
    return [...new Set(words.filter((word) => longest.has(word)))].slice(0, WORDS_PER_QUESTION).join(' ');
  }
  return null;
}
