import { otherSpellings } from '@recollect/contract/text';
import { knownWords } from '@recollect/core/threads';

/**
 * The words of a user's texts that a mistyped word may be corrected to, of titles also the parts of names such as
 * `KSpider`.
 */
export function findWords(titles: readonly string[], texts: readonly string[]): string[] {
  const named = titles.join('\n');
  return knownWords([named, ...otherSpellings(named), ...texts].join('\n'));
}
