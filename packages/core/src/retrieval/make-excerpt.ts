import { limits } from '@recollect/contract/limits';
import {
  createFormFinder,
  createPartFinder,
  foldWord,
  formPattern,
  isAscii,
  plainLetters,
  sliceText,
  unseenInWords,
} from '@recollect/contract/text';
import type { ListedMemory } from '../ports/index.js';
import { emojiOf, normaliseText } from '../text/normalise-text.js';
import { type ExcerptOf, excerptText } from './excerpt-text.js';

const MAX_EXCERPT_CHARACTERS = limits.query.excerptLength;
/** Maximum number of hits examined per window. */
const MAX_HITS = 40;
const WORD = new RegExp(`[\\p{L}\\p{N}\\p{M}_][\\p{L}\\p{N}\\p{M}_${unseenInWords}]*`, 'gu');

/**
 * Returns at most 300 characters of plain text around the place that contains the most words of the query. Cuts between
 * words and marks each cut with an ellipsis (QRY-5). Begins with a sentence if one begins shortly before the place.
 * Without a matching word, returns the first meaningful sentence, and the text after it.
 *
 * @example
 * makeExcerpt('# Tea\n\nSteep **green tea** below boiling.', [['green']]); // 'Tea Steep green tea below boiling.'
 */
export function makeExcerpt(text: string, terms: readonly (readonly string[])[], of?: ExcerptOf): string {
  return createMarker(terms).excerptOf(text, of);
}

/** An excerpt of the beginning of a memory, as lists show it under its title. */
export function excerptOfHead({
  head,
  title,
  captureMode,
}: Pick<ListedMemory, 'head' | 'title' | 'captureMode'>): string {
  return makeExcerpt(head, [], { title, isConversation: captureMode === 'conversation' });
}

/** Finds the words of one query in the texts of its results. */
export interface Marker {
  /** See {@link makeExcerpt}. */
  excerptOf(text: string, of?: ExcerptOf): string;
  /** Finds the words of the query in a text. */
  read(text: string): Reading;
}

/** The matches of a query in a text. */
export interface Reading {
  /**
   * The words and emoji of the query that it has in any of their forms or spellings, in lower case and without accents.
   */
  readonly terms: string[];
  /** Whether it has a term of the query, by its place in it, in any form or spelling, or begun. */
  has(term: number): boolean;
}

/**
 * Makes a marker. The results of a query share their words, so that each is stemmed once.
 *
 * @param prefix a word of the query that may be unfinished, for excerpts
 * @param withinWords places of terms that match within longer words, in texts that do not have them otherwise
 *
 * @example
 * createMarker([['obrien'], ['dance'], ['tea']]).read("O'Brien danced").terms; // ['obrien', 'dance']
 */
export function createMarker(
  terms: readonly (readonly string[])[],
  prefix: string | null = null,
  withinWords: readonly number[] = [],
): Marker {
  const words = terms.flatMap((term) => (term.length === 1 && term[0] !== undefined && term[0].length > 1 ? term : []));
  const phrases = terms.filter((term) => term.length > 1 || term[0]?.length === 1).map((term) => term.join(''));
  const findForm = createFormFinder(words);
  const findFormOrBeginning = prefix === null ? findForm : createFormFinder(words, prefix);
  const foldedTerms = [...new Set(terms.map((term) => foldWord(term.join(''))))];
  const places = terms.map((term) => foldWord(term.join('')));
  const pattern = formPattern(words, prefix);
  const parts = withinWords.map((at) => places[at] ?? '');
  const findIn = (text: string, lines: string, find: typeof findForm): TermMatch[] => {
    const matches = [...findWords(text, isAscii(text) ? pattern : WORD, find), ...findPhrases(lines, phrases)];
    const missing = parts.filter((part) => !matches.some(({ term }) => term === part));
    return missing.length === 0 ? matches : [...matches, ...findWords(text, WORD, createPartFinder(missing))];
  };
  const findBeginning = prefix === null ? () => undefined : createFormFinder([], prefix);
  const begun = prefix === null ? null : foldWord(prefix);
  return {
    excerptOf(markdown, of) {
      const { text, start, end } = excerptText(markdown, of);
      const best = bestPlace(findIn(text, text, findFormOrBeginning));
      if (best === null) return cut(text.slice(start, end), 0);
      return text.length <= MAX_EXCERPT_CHARACTERS ? onOneLine(text) : cut(text, startBefore(text, best));
    },
    read(text) {
      let isBegun = false;
      const find = (word: string) => {
        const term = findForm(word);
        if (term === undefined && findBeginning(word) !== undefined) isBegun = true;
        return term;
      };
      const matches = findIn(normaliseText(text), phrases.length > 0 ? plainLetters(text) : '', find);
      const matched = new Set(matches.map(({ term }) => term));
      return {
        terms: foldedTerms.filter((term) => matched.has(term)).map(emojiOf),
        has: (term) => matched.has(places[term] ?? '') || (isBegun && places[term] === begun),
      };
    },
  };
}

const onOneLine = (text: string) => text.replaceAll('\n', ' ');

/** The start of the window with the most different words of the query. Null if there are none. */
function bestPlace(matches: readonly TermMatch[]): number | null {
  const hits = matches.toSorted((a, b) => a.at - b.at);
  let best = { at: 0, count: 0 };
  for (const [index, hit] of hits.entries()) {
    const inside = hits.slice(index, index + MAX_HITS).filter(({ at }) => at < hit.at + MAX_EXCERPT_CHARACTERS * 0.7);
    const count = new Set(inside.map(({ term }) => term)).size;
    if (count > best.count) best = { at: hit.at, count };
  }
  return best.count === 0 ? null : best.at;
}

/** How far before a place a sentence may begin, and how much is shown before the place if none does. */
const LEAD = { sentence: 150, words: 60 };
/** Where a sentence begins. */
const SENTENCE_START = /(?<=[.!?…。！？؟।]["'”’»)\]]? |[。！？]|\n)(?=\S)/gu;

/** Where an excerpt of a place begins: with its sentence, and those before it where the text ends shortly after. */
function startBefore(text: string, at: number): number {
  const last = text.length - MAX_EXCERPT_CHARACTERS + 1;
  const least = Math.max(0, Math.min(at - LEAD.sentence, last));
  if (at <= LEAD.words) return 0;
  const starts = Array.from(text.slice(least, at + 1).matchAll(SENTENCE_START), ({ index }) => least + index);
  const fitting = starts.find((start) => start >= last) ?? starts.at(-1);
  return fitting ?? Math.max(0, at - LEAD.words);
}

interface TermMatch {
  at: number;
  /** The text of the term found there. */
  term: string;
}

/** Finds the words of the query in any of their forms, among the words that match a pattern. */
function findWords(text: string, pattern: RegExp, findForm: (word: string) => string | undefined): TermMatch[] {
  const matches: TermMatch[] = [];
  for (const { 0: word, index: at } of text.matchAll(pattern)) {
    const term = findForm(word);
    if (term !== undefined) matches.push({ at, term });
  }
  return matches;
}

/** Finds the terms in scripts without spaces, as adjacent characters. */
function findPhrases(text: string, phrases: readonly string[]): TermMatch[] {
  const lower = phrases.length > 0 ? text.toLowerCase() : '';
  return phrases.map((term) => ({ at: lower.indexOf(term), term: foldWord(term) })).filter(({ at }) => at >= 0);
}

function cut(lines: string, from: number): string {
  const text = onOneLine(lines);
  const start = from === 0 || text[from - 1] === ' ' || BEGUN.test(text[from - 1] ?? '') ? from : nextWord(text, from);
  const lead = start > 0 ? '…' : '';
  const room = MAX_EXCERPT_CHARACTERS - lead.length;
  if (text.length - start <= room) return lead + sliceText(text, start, text.length);
  return `${lead}${sliceText(text, start, previousWord(text, start + room - 1))}…`;
}

const BEGUN = /[。！？]/;

/** The start of a word at or shortly after `at`, or `at` itself within a very long word. */
function nextWord(text: string, at: number): number {
  const space = text.indexOf(' ', at - 1);
  return space >= 0 && space - at < 30 ? space + 1 : at;
}

function previousWord(text: string, at: number): number {
  const space = text.lastIndexOf(' ', at);
  return at - space < 30 ? space : at;
}
