/** Words that are looked for: more could include marks and addresses that an excerpt leaves out. */
const WORDS = 3;

/**
 * Where an excerpt begins in its chunk, in UTF-16 code units. Never behind it: where the excerpt differs too much from the
 * chunk, it is 0.
 *
 * @example
 * locateExcerpt('# Tea\n\nSteep **green** tea.', '…Steep green tea.'); // 7
 */
export function locateExcerpt(chunk: string, excerpt: string): number {
  if (!excerpt.startsWith('…')) return 0;
  const words =
    excerpt
      .slice(1)
      .match(/[\p{L}\p{N}\p{M}]+/gu)
      ?.slice(0, WORDS) ?? [];
  if (words.length === 0) return 0;
  return Math.max(0, chunk.search(new RegExp(words.join('[^\\p{L}\\p{N}\\p{M}]+'), 'u')));
}
