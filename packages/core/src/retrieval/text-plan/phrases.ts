import { foldWord, stemOf } from '@recollect/contract/text';

export type Phrase = readonly string[];

/** Pairs of adjacent chunks that are compared with a phrase at most: a word such as "the" begins very many. */
export const MAX_COMPARED_PAIRS = 20_000;
/** Characters of marks and white space that may stand beside each word of a phrase. */
const BESIDE_WORD = 20;
/** Words at the beginning of a chunk that are looked up. More of them rule out few chunks. */
const LOOKED_UP = 4;
/** How often a word may be in a phrase that the index is asked for: it reads the places of a word as many times. */
export const MAX_OCCURRENCES = 16;

/** Phrases without those that are equal to an earlier one. */
export function distinctPhrases(phrases: readonly Phrase[]): Phrase[] {
  return [...new Map(phrases.map((phrase) => [phrase.join(' '), phrase])).values()];
}

/**
 * The beginnings of the second of two chunks, if a phrase begins at the end of the first one and ends in the second.
 *
 * @example
 * endingsOf(['to', 'be', 'or']); // [['be', 'or'], ['or']]
 */
export function endingsOf(phrase: Phrase): Phrase[] {
  const endings = phrase.slice(1).map((_, at) => phrase.slice(at + 1, at + 1 + LOOKED_UP));
  return distinctPhrases(endings);
}

/** How many characters a phrase may take on either side of the place between two chunks. */
export function reachOf(phrase: Phrase): number {
  return phrase.reduce((sum, word) => sum + word.length + BESIDE_WORD, 0);
}

/** Whether a word is in a phrase so often that the index is not asked for it. */
export function repeatsWords(phrase: Phrase, formOf: (word: string) => string): boolean {
  const counts = new Map<string, number>();
  for (const form of phrase.map(formOf)) counts.set(form, (counts.get(form) ?? 0) + 1);
  return [...counts.values()].some((count) => count > MAX_OCCURRENCES);
}

/** Makes a function that gives a word as the index compares it. Most words occur again. */
export function createForms(): (word: string) => string {
  const forms = new Map<string, string>();
  return (word) => {
    const cachedForm = forms.get(word);
    if (cachedForm !== undefined) return cachedForm;
    const form = stemOf(foldWord(word));
    forms.set(word, form);
    return form;
  };
}

/**
 * Makes a function that finds a phrase in the words of a text, with at most two comparisons a word (Knuth, Morris and
 * Pratt, "Fast pattern matching in strings", 1977). Starting again at each word takes as many as the phrase is long
 * where words repeat.
 *
 * @example
 * createPhraseFinder(['to', 'be'])(['or', 'not', 'to', 'be']); // true
 */
export function createPhraseFinder(phrase: Phrase): (words: Iterable<string>) => boolean {
  /** For each beginning of the phrase, the length of the longest shorter one that it ends in. */
  const shorter = [0];
  const next = (matched: number, word: string | undefined): number => {
    let length = matched;
    while (length > 0 && phrase[length] !== word) length = shorter[length - 1] ?? 0;
    return phrase[length] === word ? length + 1 : 0;
  };
  for (let at = 1; at < phrase.length; at++) shorter.push(next(shorter[at - 1] ?? 0, phrase[at]));

  return (words) => {
    let matched = 0;
    for (const word of words) {
      matched = next(matched, word);
      if (matched === phrase.length) return true;
    }
    return false;
  };
}
