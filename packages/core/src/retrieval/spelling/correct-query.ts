import type { Correction, Suggestion } from '@recollect/contract';
import { foldLetters, foldWord } from '@recollect/contract/text';
import type { Dictionary, TextIndex } from '../../ports/index.js';
import { toPhrase } from '../../text/normalise-text.js';
import { type ParsedQuery, withText } from '../parse-query.js';
import { mistakesIn } from './known-words.js';
import type { SimilarWord } from './word-list.js';

const WORD = /[\p{L}\p{N}\p{M}_]+/gu;

/** The likely meaning of a query with mistyped words. */
export interface CorrectedQuery {
  /** The query without the words that are certainly mistyped. Null if no word is. */
  meant: { parsed: ParsedQuery; corrected: Correction } | null;
  /** All words that may be mistyped. Null if none may be. */
  suggestion: Suggestion | null;
  /** Whether the time was up before all words were looked up. */
  isPartial: boolean;
}

/**
 * Finds the nearest existing word for each word that is not in the user's texts (QRY-14). Does not correct phrases and
 * excluded words, which are literal.
 *
 * @param options.absent words that occur in no text, as counted by a search. Other words are not looked up. Null if
 *   not counted
 * @param options.literally more words of the query to keep
 * @param options.isWord whether the model has a word. It was not mistyped, and finds memories by its meaning: "nest"
 * must not become "best"
 * @param options.dictionary has words that are rare in texts: "tart" is only suggested to be "part"
 */
export async function correctQuery(
  textIndex: Pick<TextIndex, 'nearestWords'>,
  userId: string,
  parsed: ParsedQuery,
  {
    absent,
    literally = '',
    isWord,
    dictionary = null,
    ...limit
  }: {
    absent: ReadonlySet<string> | null;
    literally?: string | undefined;
    isWord: (word: string) => boolean;
    dictionary?: Dictionary | null | undefined;
    signal?: AbortSignal | undefined;
    /** Milliseconds of processor time; no limit if missing. */
    budget?: number;
  },
): Promise<CorrectedQuery> {
  const { terms } = parsed;
  const literal = new Set([...(terms.phrases?.flat() ?? []), ...toPhrase(literally)]);
  const isUncertain = (word: string) =>
    absent?.has(word) !== false && !literal.has(word) && isCorrectable(word) && !isWord(word);
  const words = terms.terms.flatMap(([word, ...more]) =>
    word !== undefined && more.length === 0 && isUncertain(word) ? [word] : [],
  );
  if (words.length === 0) return { meant: null, suggestion: null, isPartial: false };
  const beside = terms.terms.flatMap((term) => (term.length > 1 || words.includes(term[0] ?? '') ? [] : term));
  const nearest = await textIndex.nearestWords(userId, { words, beside, prefix: terms.prefix }, limit);
  const isPartial = nearest.length < words.length;
  const corrections = new Map(
    words.flatMap((word, at) => {
      const other = nearest[at] ?? null;
      return other === null ? [] : [[word, other] as const];
    }),
  );
  if (corrections.size === 0) return { meant: null, suggestion: null, isPartial };
  const mistyped = new Map([...corrections].filter(([word]) => dictionary?.has(foldWord(word)) !== true));
  return {
    meant: mistyped.size === 0 ? null : replaceAll(parsed, mistyped),
    suggestion: replaceAll(parsed, corrections).corrected,
    isPartial,
  };
}

/** The query with other words. */
function replaceAll(
  parsed: ParsedQuery,
  corrections: ReadonlyMap<string, string>,
): NonNullable<CorrectedQuery['meant']> {
  const { text, terms } = parsed;
  const [from, to]: [string[], string[]] = [[], []];
  const replaced = text.replace(WORD, (word) => {
    const other = corrections.get(foldLetters(word.normalize('NFKC')).toLowerCase());
    if (other === undefined) return word;
    from.push(word);
    to.push(other);
    return other;
  });
  const isOpen = terms.prefix !== null && !corrections.has(terms.prefix);
  const meant = withText(parsed, replaced, isOpen);
  // The words as typed, which occur nowhere, keep the scores honest: the correction may be wrong.
  const mistyped = [...corrections.keys()];
  const candidates = [...meant.terms.terms, ...mistyped.map((word) => [word])];
  return {
    parsed: { ...meant, mistyped, terms: { ...meant.terms, terms: candidates } },
    corrected: { from: from.join(' '), to: to.join(' ') },
  };
}

function isCorrectable(word: string): boolean {
  return /^[\p{L}\p{M}]+$/u.test(word) && mistakesIn(foldWord(word)) > 0;
}

/** How many chunks have a word, and how many of them also have another word of the query. */
interface WordUse {
  chunks: number;
  together: number;
}

/**
 * In bits, how much likelier a word is with a usual slip, with the right first letter, or with twice as many chunks
 * that have another word of the query. docs/retrieval.md has what these were measured on.
 */
const LIKELIER = 3;

/**
 * How likely it is that a similar word was meant, in bits, comparable among words at the same distance. A noisy channel
 * (Kernighan, Church and Gale, "A spelling correction program based on a noisy channel model", 1990) adds how likely
 * the word is and how likely this mistyping is.
 *
 * @example
 * wordLikelihood({ hasSameStart: true, isSlip: true }, { chunks: 7, together: 0 }); // 9
 */
export function wordLikelihood(
  { hasSameStart, isSlip }: Pick<SimilarWord, 'hasSameStart' | 'isSlip'>,
  { chunks, together }: WordUse,
): number {
  return LIKELIER * (Number(isSlip) + Number(hasSameStart) + Math.log2(1 + together)) + Math.log2(1 + chunks);
}
