import { stemmer } from 'stemmer';
import { plainLetters } from './plain-letters.js';
import { withoutProclitics } from './proclitics.js';

/** A word in lower case and in the letters by which it is found. */
export function foldWord(word: string): string {
  return plainLetters(word).toLowerCase();
}

/**
 * Makes a function that says which of some words of a query, folded, a word of a text is a form of: one with the same
 * stem, by the algorithm of the full-text index (Porter, "An algorithm for suffix stripping", 1980), one that differs
 * by its proclitics, or a longer one that begins with the prefix.
 *
 * @param prefix a word of the query that may be unfinished
 *
 * @example
 * createFormFinder(['Running', 'tea'])('runs'); // 'running'
 */
export function createFormFinder(
  words: readonly string[],
  prefix: string | null = null,
): (word: string) => string | undefined {
  const folded = words.map(foldWord);
  const byStem = new Map(folded.map((word) => [stemOf(word), word]).reverse() as [string, string][]);
  const beginning = prefix === null ? null : foldWord(prefix);
  const bare = new Map(
    folded.flatMap((word) => [...withoutProclitics(word), word].map((form) => [form, word] as const)),
  );
  // All forms of a word have the same first letter, which rules out most words of a text.
  const initials = new Set([...folded, ...(beginning === null ? [] : [beginning])].map((word) => word[0]));
  const findForm = (word: string) => {
    const form = foldWord(word);
    const found = byStem.get(stemOf(form));
    if (found !== undefined) return found;
    const forms = [form, ...withoutProclitics(form)];
    const other = forms.find((some) => bare.has(some));
    if (other !== undefined) return bare.get(other);
    return beginning !== null && forms.some((some) => some.startsWith(beginning)) ? beginning : undefined;
  };
  const known = new Map<string, string | undefined>();
  return (word) => {
    const initial = word[0] ?? '';
    if (initial < '\u0080' && !initials.has(initial.toLowerCase())) return undefined;
    if (!known.has(word)) known.set(word, findForm(word));
    return known.get(word);
  };
}

/**
 * Makes a function that says which of some parts, folded, stands within a word of a text: the part, or its stem.
 *
 * @example
 * createPartFinder(['completes'])('autocompletion'); // 'completes'
 */
export function createPartFinder(parts: readonly string[]): (word: string) => string | undefined {
  const stems = parts.map((part) => [part, stemOf(part)] as const).filter(([, stem]) => stem.length >= LEAST_PART);
  if (stems.length === 0) return () => undefined;
  return (word) => {
    const folded = foldWord(word);
    return stems.find(([, stem]) => folded.length > stem.length && folded.indexOf(stem, 1) > 0)?.[0];
  };
}

/** Letters of a part that is looked for within words. */
const LEAST_PART = 4;

/**
 * The stem of a folded word in the full-text index, which changes the endings of English words of three letters and
 * more.
 *
 * @example
 * stemOf('bees'); // 'bee'
 */
export function stemOf(word: string): string {
  return /^[a-z]{3,}$/.test(word) ? stemmer(word) : word;
}
