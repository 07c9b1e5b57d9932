import type { Correction } from '@recollect/contract';
import { foldLetters, foldWord } from '@recollect/contract/text';
import type { TextIndex } from '../../ports/index.js';
import { toPhrase } from '../normalise-text.js';
import { type ParsedQuery, withText } from '../parse-query.js';
import { mistakesIn } from './known-words.js';

const WORD = /[\p{L}\p{N}\p{M}_]+/gu;

/** A query after its mistyped words were corrected. */
export interface CorrectedQuery {
  parsed: ParsedQuery;
  /** Null if nothing was replaced. */
  corrected: Correction | null;
  /** Whether the time was up before all words were looked up. */
  isPartial: boolean;
}

/**
 * Replaces words that none of the user's texts has by the nearest that one has (QRY-14). Phrases and excluded words stay: they were
 * meant to the letter.
 *
 * @param options.literally words of the query that stay too
 * @param options.isWord whether a word is known to exist. It was not mistyped, and finds memories by its meaning: "nest" must not become "best"
 */
export async function correctQuery(
  textIndex: Pick<TextIndex, 'nearestWords'>,
  userId: string,
  parsed: ParsedQuery,
  {
    literally = '',
    isWord,
    ...limit
  }: {
    literally?: string | undefined;
    isWord: (word: string) => boolean;
    signal?: AbortSignal | undefined;
    /** Milliseconds of processor time; no limit if missing. */
    budget?: number;
  },
): Promise<CorrectedQuery> {
  const { text, terms } = parsed;
  const literal = new Set([...(terms.phrases?.flat() ?? []), ...toPhrase(literally)]);
  const words = terms.terms.flatMap(([word, ...more]) =>
    word === undefined || more.length > 0 || literal.has(word) || !isCorrectable(word) || isWord(word) ? [] : [word],
  );
  if (words.length === 0) return { parsed, corrected: null, isPartial: false };
  const beside = terms.terms.flatMap((term) => (term.length > 1 || words.includes(term[0] ?? '') ? [] : term));
  const nearest = await textIndex.nearestWords(userId, { words, beside, prefix: terms.prefix }, limit);
  const isPartial = nearest.length < words.length;
  const corrections = new Map(
    words.flatMap((word, at) => {
      const other = nearest[at] ?? null;
      return other === null ? [] : [[word, other] as const];
    }),
  );
  if (corrections.size === 0) return { parsed, corrected: null, isPartial };
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
  const wanted = [...meant.terms.terms, ...[...corrections.keys()].map((word) => [word])];
  return {
    parsed: { ...meant, terms: { ...meant.terms, terms: wanted } },
    corrected: { from: from.join(' '), to: to.join(' ') },
    isPartial,
  };
}

function isCorrectable(word: string): boolean {
  return /^[\p{L}\p{M}]+$/u.test(word) && mistakesIn(foldWord(word)) > 0;
}
