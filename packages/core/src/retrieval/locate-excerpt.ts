/** Words that are looked for: more could include marks and addresses that an excerpt leaves out. */
const WORDS = 3;
const WORD = /[\p{L}\p{N}\p{M}]+/gu;
/** Made once: an expression with classes of Unicode takes a millisecond. */
const BETWEEN = /[^\p{L}\p{N}\p{M}]+/uy;

/**
 * Where an excerpt begins in its chunk, in UTF-16 code units. Never behind it: where the excerpt differs too much from
 * the chunk, it is 0.
 *
 * @example
 * locateExcerpt('# Tea\n\nSteep **green** tea.', '…Steep green tea.'); // 7
 */
export function locateExcerpt(chunk: string, excerpt: string): number {
  if (!excerpt.startsWith('…')) return 0;
  const [first, ...others] = excerpt.match(WORD)?.slice(0, WORDS) ?? [];
  if (first === undefined) return 0;
  for (let at = chunk.indexOf(first); at >= 0; at = chunk.indexOf(first, at + 1))
    if (isFollowedBy(others, chunk, at + first.length)) return at;
  return 0;
}

/** Whether words stand at a place of a text, each after something that belongs to no word. */
function isFollowedBy(words: readonly string[], text: string, at: number): boolean {
  let end = at;
  return words.every((word) => {
    BETWEEN.lastIndex = end;
    if (!BETWEEN.test(text) || !text.startsWith(word, BETWEEN.lastIndex)) return false;
    end = BETWEEN.lastIndex + word.length;
    return true;
  });
}
