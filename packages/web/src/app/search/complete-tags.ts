import type { TagList } from '@recollect/contract';

/** Completions offered at a time. */
const MOST = 100;

/**
 * Completes the last of several tags, separated by commas, with the frequent ones first. A list of suggestions
 * completes a whole field, so the tags before the last one are part of each.
 *
 * @example
 * completeTags('oil, la', tags); // ['oil, lamp', 'oil, old lamps']
 */
export function completeTags(
  typed: string,
  tags: readonly Pick<TagList['tags'][number], 'tag'>[],
  present: readonly string[] = [],
): string[] {
  const end = typed.lastIndexOf(',') + 1;
  const before = typed.slice(0, end);
  const last = typed.slice(end).trim().toLowerCase();
  return tags
    .filter(({ tag }) => tag.toLowerCase().includes(last) && !present.includes(tag))
    .slice(0, MOST)
    .map(({ tag }) => (before === '' ? tag : `${before} ${tag}`));
}
