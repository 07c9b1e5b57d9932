import { limits } from '@recollect/contract/limits';
import {
  createFormFinder,
  foldWord,
  plainLetters,
  plainText,
  sliceText,
  unseenInWords,
} from '@recollect/contract/text';
import { emojiOf, normaliseText } from './normalise-text.js';

const MAXIMUM = limits.query.excerptLength;
/** Maximum number of hits examined per window. */
const MAX_HITS = 40;
const WORD = new RegExp(`[\\p{L}\\p{N}\\p{M}_][\\p{L}\\p{N}\\p{M}_${unseenInWords}]*`, 'gu');

/**
 * Returns at most 300 characters of plain text around the place that contains the most words of the query. Cuts between
 * words and marks each cut with an ellipsis (QRY-5). Without a matching word, returns the beginning.
 *
 * @param prefix a word of the query that may be unfinished
 *
 * @example
 * makeExcerpt('# Tea\n\nSteep **green tea** below boiling.', [['green']]); // 'Tea Steep green tea below boiling.'
 */
export function makeExcerpt(text: string, terms: readonly (readonly string[])[], prefix: string | null = null): string {
  return createMarker(terms, prefix).excerptOf(text);
}

/** Finds the words of one query in the texts of its results. */
export interface Marker {
  /** See {@link makeExcerpt}. */
  excerptOf(text: string): string;
  /** The words and emoji of the query that a text has in any of their forms or spellings, in lower case and without accents. */
  termsIn(text: string): string[];
}

/**
 * Makes a marker. The results of a query share their words, so that each is stemmed once.
 *
 * @param prefix a word of the query that may be unfinished, for excerpts
 *
 * @example
 * createMarker([['obrien'], ['dance'], ['tea']]).termsIn("O'Brien danced"); // ['obrien', 'dance']
 */
export function createMarker(terms: readonly (readonly string[])[], prefix: string | null = null): Marker {
  const words = terms.flatMap((term) => (term.length === 1 && term[0] !== undefined && term[0].length > 1 ? term : []));
  const phrases = terms.filter((term) => term.length > 1 || term[0]?.length === 1).map((term) => term.join(''));
  const findForm = createFormFinder(words);
  const findFormOrBeginning = prefix === null ? findForm : createFormFinder(words, prefix);
  const wanted = [...new Set(terms.map((term) => foldWord(term.join(''))))];
  return {
    excerptOf(text) {
      const plain = plainText(text).replace(/\s+/g, ' ').trim();
      if (plain.length <= MAXIMUM) return plain;
      return cut(plain, bestStart([...findWords(plain, findFormOrBeginning), ...findPhrases(plain, phrases)]));
    },
    termsIn(text) {
      const found = [...findWords(normaliseText(text), findForm), ...findPhrases(plainLetters(text), phrases)];
      const matched = new Set(found.map(({ term }) => term));
      return wanted.filter((term) => matched.has(term)).map(emojiOf);
    },
  };
}

/** The start of the window with the most different words of the query, including some text before them. */
function bestStart(found: readonly TermMatch[]): number {
  const hits = found.toSorted((a, b) => a.at - b.at);
  let best = { at: 0, count: 0 };
  for (const [index, hit] of hits.entries()) {
    const inside = hits.slice(index, index + MAX_HITS).filter(({ at }) => at < hit.at + MAXIMUM * 0.7);
    const count = new Set(inside.map(({ term }) => term)).size;
    if (count > best.count) best = { at: hit.at, count };
  }
  return Math.max(0, best.at - 60);
}

interface TermMatch {
  at: number;
  /** The text of the term found there. */
  term: string;
}

/** Finds the words of the query in any of their forms. */
function findWords(text: string, findForm: (word: string) => string | undefined): TermMatch[] {
  return Array.from(text.matchAll(WORD)).flatMap(({ 0: word, index: at }) => {
    const term = findForm(word);
    return term === undefined ? [] : [{ at, term }];
  });
}

/** Finds the terms in scripts without spaces, as adjacent characters. */
function findPhrases(text: string, phrases: readonly string[]): TermMatch[] {
  const lower = phrases.length > 0 ? text.toLowerCase() : '';
  return phrases.map((term) => ({ at: lower.indexOf(term), term: foldWord(term) })).filter(({ at }) => at >= 0);
}

function cut(text: string, from: number): string {
  const start = from === 0 ? 0 : nextWord(text, Math.min(from, text.length - MAXIMUM + 1));
  const lead = start > 0 ? '…' : '';
  const room = MAXIMUM - lead.length;
  if (text.length - start <= room) return lead + sliceText(text, start, text.length);
  return `${lead}${sliceText(text, start, previousWord(text, start + room - 1))}…`;
}

/** The start of a word at or shortly after `at`, or `at` itself within a very long word. */
function nextWord(text: string, at: number): number {
  const space = text.indexOf(' ', at - 1);
  return space >= 0 && space - at < 30 ? space + 1 : at;
}

function previousWord(text: string, at: number): number {
  const space = text.lastIndexOf(' ', at);
  return at - space < 30 ? space : at;
}
