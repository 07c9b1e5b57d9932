import { limits } from '@recollect/contract/limits';
import { sliceText } from '../slice-text.js';

const MAXIMUM = limits.query.excerptLength;
const WORD = /[\p{L}\p{N}\p{M}_]+/gu;

/**
 * At most 300 characters of plain text around the place where most of the query's words stand together, cut at words,
 * with an ellipsis at each cut (QRY-5). Without a matching word, the beginning.
 */
export function makeExcerpt(text: string, terms: readonly (readonly string[])[]): string {
  const plain = plainText(text);
  if (plain.length <= MAXIMUM) return plain;
  const start = bestStart(plain, new Set(terms.map((term) => stem(term.join('')))));
  return cut(plain, start);
}

/** Markdown without its marks, white space folded. */
function plainText(text: string): string {
  return text
    .replace(/!?\[([^[\]\n]*)\]\((?:[^()\s]|\([^()\s]*\))*(?:\s+"[^"\n]*")?\)/g, '$1')
    .replace(/^[ \t]*(?:#{1,6}|>|[-*+])[ \t]+/gm, '')
    .replace(/^[ \t]*(?:```|~~~).*$/gm, '')
    .replace(/(\*\*|__|`)(?=\S)([^\n]*?\S)\1/g, '$2')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Where the window begins that holds the most different words of the query, with some text to lead up to them. */
function bestStart(text: string, wanted: ReadonlySet<string>): number {
  const hits: { at: number; word: string }[] = [];
  for (const match of text.matchAll(WORD)) {
    const word = stem(match[0]);
    if (wanted.has(word)) hits.push({ at: match.index, word });
  }
  let best = { at: 0, count: 0 };
  for (const [index, hit] of hits.entries()) {
    const inside = hits.slice(index).filter(({ at }) => at < hit.at + MAXIMUM * 0.7);
    const count = new Set(inside.map(({ word }) => word)).size;
    if (count > best.count) best = { at: hit.at, count };
  }
  return Math.max(0, best.at - 60);
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

/** Enough of a word to know its other forms by: accents folded, common endings off. */
function stem(word: string): string {
  const folded = word.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return folded.length > 4 ? folded.replace(/(?:ing|ed|es|s|ly)$/, '') : folded;
}
