/** A word is a run of letters and digits. In scripts without spaces, each character is a word. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{M}\p{N}]+?(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[^\p{L}\p{M}\p{N}]|$)/gu;

/** The words of a text, without the addresses of Markdown links and images. */
export function wordsOf(text: string): string[] {
  return (
    text
      .replace(/\]\([^)]*\)/g, ' ')
      .toLowerCase()
      .match(WORD) ?? []
  );
}

/** The harmonic mean of recall and precision over words, where each word counts as often as it occurs. */
export function wordF1(expected: string, found: string): number {
  const wanted = countsOf(wordsOf(expected));
  const got = countsOf(wordsOf(found));
  let shared = 0;
  for (const [word, count] of got) shared += Math.min(count, wanted.get(word) ?? 0);
  const total = sum(wanted) + sum(got);
  return total === 0 ? 0 : (2 * shared) / total;
}

function countsOf(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((total, count) => total + count, 0);
}
