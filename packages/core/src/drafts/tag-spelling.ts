import { tagKey, uniqueTags } from '@recollect/contract/text';
import type { MemoryStore } from '../ports/index.js';

/** Spells tags as the first memory that has them does, so that `Biology` and `biology` are one tag. */
export async function spellTags(
  { spellings }: Pick<MemoryStore, 'spellings'>,
  userId: string,
  tags: readonly string[],
): Promise<string[]> {
  if (tags.length === 0) return [];
  const storedSpellings = await spellings(userId, tags.map(tagKey));
  return uniqueTags(tags.map((tag) => storedSpellings.get(tagKey(tag)) ?? tag));
}

/** Removes tags without regard to case. */
export function withoutTags(tags: readonly string[], removed: readonly string[]): string[] {
  const keys = new Set(removed.map(tagKey));
  return tags.filter((tag) => !keys.has(tagKey(tag)));
}
