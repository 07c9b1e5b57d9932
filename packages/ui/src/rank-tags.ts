import { tagKey } from '@recollect/contract/text';

/** A tag that a field can offer. */
export interface KnownTag {
  tag: string;
  /** When the newest memory with it was saved. Without it, the order of the tags is kept. */
  newestAt?: string;
}

/**
 * Ranks the tags that a typed text may mean: tags that begin with it, tags with a part that does, tags that contain it,
 * and tags with its letters in this order. Among equals, the last used tag comes first.
 *
 * @example
 * rankTags('dab', [{ tag: 'dev/databases', newestAt: '' }, { tag: 'tea', newestAt: '' }]); // ['dev/databases']
 */
export function rankTags(typed: string, tags: readonly KnownTag[]): string[] {
  const key = tagKey(typed.trim());
  return tags
    .map(({ tag, newestAt = '' }) => ({ tag, newestAt, rank: rankOf(key, tagKey(tag)) }))
    .filter(({ rank }) => rank < NO_MATCH)
    .sort((one, other) => one.rank - other.rank || other.newestAt.localeCompare(one.newestAt))
    .map(({ tag }) => tag);
}

const NO_MATCH = 4;

function rankOf(typed: string, tag: string): number {
  if (tag.startsWith(typed)) return 0;
  if (tag.split(/[/\s_-]/).some((part) => part.startsWith(typed))) return 1;
  if (tag.includes(typed)) return 2;
  return hasLettersInOrder(tag, typed) ? 3 : NO_MATCH;
}

function hasLettersInOrder(tag: string, typed: string): boolean {
  let at = 0;
  for (const letter of typed) {
    at = tag.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
