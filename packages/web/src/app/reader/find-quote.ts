import { limits } from '@recollect/contract/limits';
import { displayed, sliceText } from '@recollect/contract/text';
import search from 'approx-string-match';

/** A passage with the text around it, as the Web Annotation data model describes it (TextQuoteSelector). */
export interface Quote {
  quote: string;
  prefix: string;
  suffix: string;
}

export interface Span {
  start: number;
  end: number;
}

/** The share of a passage that may have changed. */
const TOLERANCE = 0.25;
/** The longest passage that is searched for with changes, because that takes time. */
const MAX_FUZZY = 500;
/**
 * Characters before and after a passage that are kept to find it again. More are kept where the text repeats itself.
 */
const CONTEXT = 200;
const MAX_CONTEXT = limits.highlights.contextLength;

/**
 * Finds a passage in a text by its words, and among several places by the text around it. If the words have changed a
 * little, finds the most similar place. White space counts as one space; `text` must be normalised so. Null if it is
 * not there.
 *
 * @example
 * findQuote('Green tea. Black tea.', { quote: 'tea', prefix: 'Black ', suffix: '.' }); // { start: 17, end: 20 }
 */
export function findQuote(text: string, { quote, prefix, suffix }: Quote): Span | null {
  const words = collapse(displayed(quote)).trim();
  if (words === '') return null;
  const around = { prefix: collapse(displayed(prefix)), suffix: collapse(displayed(suffix)) };
  const exact = findAll(text, words);
  const found = exact.length > 0 ? exact : findSimilar(text, words);
  let best: { span: Span; score: number } | null = null;
  for (const span of found) {
    const before = text.slice(Math.max(0, span.start - around.prefix.length), span.start);
    const after = text.slice(span.end, span.end + around.suffix.length);
    const score = sharedEnd(before, around.prefix) + sharedStart(after, around.suffix);
    if (best === null || score > best.score) best = { span, score };
  }
  return best?.span ?? null;
}

/**
 * A passage of a normalised text with the text around it: as much as tells it from all other places, if that is
 * possible.
 */
export function quoteAt(text: string, { start, end }: Span): Quote {
  const around = (length: number) => ({
    // The server rejects half a character.
    prefix: sliceText(text, Math.max(0, start - length), start),
    suffix: sliceText(text, end, end + length),
  });
  const quote = sliceText(text, start, end);
  let length = CONTEXT;
  for (; length < MAX_CONTEXT; length *= 2) {
    const { prefix, suffix } = around(length);
    const whole = prefix + quote + suffix;
    if (text.indexOf(whole) === text.lastIndexOf(whole)) break;
  }
  return { quote, ...around(Math.min(length, MAX_CONTEXT)) };
}

/** A text with each run of white space as one space. */
export function collapse(text: string): string {
  return text.replace(/\s+/g, ' ');
}

function findAll(text: string, words: string): Span[] {
  const found: Span[] = [];
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1))
    found.push({ start: at, end: at + words.length });
  return found;
}

function findSimilar(text: string, words: string): Span[] {
  if (words.length > MAX_FUZZY) return [];
  const matches = search(text, words, Math.floor(words.length * TOLERANCE));
  const least = Math.min(...matches.map(({ errors }) => errors));
  return matches.filter(({ errors }) => errors === least).map(({ start, end }) => ({ start, end }));
}

function sharedStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length += 1;
  return length;
}

function sharedEnd(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a.at(-1 - length) === b.at(-1 - length)) length += 1;
  return length;
}
