/**
 * Makes a function that finds a phrase in the words of a text, with at most two comparisons a word (Knuth, Morris and
 * Pratt, "Fast pattern matching in strings", 1977). Starting again at each word takes as many as the phrase is long
 * where words repeat.
 *
 * @example
 * createPhraseFinder(['to', 'be'])(['or', 'not', 'to', 'be']); // true
 */
export function createPhraseFinder(phrase: readonly string[]): (words: Iterable<string>) => boolean {
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
