import { limits } from '@recollect/contract/limits';
import { sliceText } from '../slice-text.js';

const MAXIMUM = limits.query.excerptLength;
/** Hits looked at from one on. */
const MOST = 40;
const WORD = /[\p{L}\p{N}\p{M}_]+/gu;

/**
 * At most 300 characters of plain text around the place where most of the query's words stand together, cut at words,
 * with an ellipsis at each cut (QRY-5). Without a matching word, the beginning.
 */
export function makeExcerpt(text: string, terms: readonly (readonly string[])[]): string {
  const plain = plainText(text);
  if (plain.length <= MAXIMUM) return plain;
  const start = bestStart(plain, terms);
  return cut(plain, start);
}

/** Markdown without its marks, white space folded. */
function plainText(text: string): string {
  return text
    .replace(/!?\[([^[\]\n]*)\]\((?:[^()\s]|\([^()\s]*\))*(?:\s+"[^"\n]*")?\)/g, '$1')
    .replace(/^[ \t]*(?:#{1,6}|>|[-*+])[ \t]+/gm, '')
    .replace(/^[ \t]*(?:```|~~~).*$/gm, '')
    .replace(/(\*\*|__|`)(?=\S)([^\n]*?\S)\1/g, '$2')
    .replace(/(?<![\w*])\*(?=\S)([^*\n]*?\S)\*(?![\w*])/g, '$1')
    .replace(/^[ \t]*\|(.*)\|[ \t]*$/gm, (_, row: string) => row.replace(/^[-:| ]+$/, '').replaceAll('|', ' '))
    .replace(/\s+/g, ' ')
    .trim();
}

/** Where the window begins that holds the most different words of the query, with some text to lead up to them. */
function bestStart(text: string, terms: readonly (readonly string[])[]): number {
  const hits = [...placesOfWords(text, terms), ...placesOfPhrases(text, terms)].sort((a, b) => a.at - b.at);
  let best = { at: 0, count: 0 };
  for (const [index, hit] of hits.entries()) {
    const inside = hits.slice(index, index + MOST).filter(({ at }) => at < hit.at + MAXIMUM * 0.7);
    const count = new Set(inside.map(({ term }) => term)).size;
    if (count > best.count) best = { at: hit.at, count };
  }
  return Math.max(0, best.at - 60);
}

interface Place {
  at: number;
  /** The text of the term that stands there. */
  term: string;
}

/** Where words of the query stand, in any of their forms. */
function placesOfWords(text: string, terms: readonly (readonly string[])[]): Place[] {
  const wanted = terms.flatMap((term) =>
    term.length === 1 && term[0] !== undefined && term[0].length > 1 ? [fold(term[0])] : [],
  );
  return Array.from(text.matchAll(WORD)).flatMap(({ 0: word, index: at }) => {
    const folded = fold(word);
    const term = wanted.find((candidate) => isFormOf(folded, candidate));
    return term === undefined ? [] : [{ at, term }];
  });
}

/** Where characters of a script without spaces stand side by side. */
function placesOfPhrases(text: string, terms: readonly (readonly string[])[]): Place[] {
  const phrases = terms.filter((term) => term.length > 1 || term[0]?.length === 1).map((term) => term.join(''));
  const lower = phrases.length > 0 ? text.toLowerCase() : '';
  return phrases.map((term) => ({ at: lower.indexOf(term), term })).filter(({ at }) => at >= 0);
}

/** Whether two folded words are forms of one: they share all but a letter of the shorter, and three letters at least. */
function isFormOf(a: string, b: string): boolean {
  const shared = Math.max(3, Math.min(a.length, b.length) - 1);
  return a.slice(0, shared) === b.slice(0, shared);
}

function fold(word: string): string {
  // Most words are plain already, and folding them all would take longer than the search.
  if (/^[a-z]*$/i.test(word)) return word.toLowerCase();
  return word.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

function cut(text: string, from: number): string {
  const start = from === 0 ? 0 : nextWord(text, Math.min(from, text.length - MAXIMUM + 1));
  const lead = start > 0 ? '…' : '';
  const room = MAXIMUM - lead.length;
  if (text.length - start <= room) return lead + sliceText(text, start, text.length);
  return `${lead}${sliceText(text, start, previousWord(text, start + room - 1))}…`;
}

/** The beginning of a word at or shortly after a place; the place itself within a very long word. */
function nextWord(text: string, at: number): number {
  const space = text.indexOf(' ', at - 1);
  return space >= 0 && space - at < 30 ? space + 1 : at;
}

function previousWord(text: string, at: number): number {
  const space = text.lastIndexOf(' ', at);
  return at - space < 30 ? space : at;
}
