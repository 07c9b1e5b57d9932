/**
 * The key that equal tags share: ignores case and the encoding of accents.
 *
 * @example
 * tagKey('Biology') === tagKey('biology'); // true
 */
export function tagKey(tag: string): string {
  return tag.normalize('NFC').toLowerCase();
}

/** The tags without those that are the same as an earlier one. */
export function uniqueTags(tags: readonly string[]): string[] {
  const first = new Map<string, string>();
  for (const tag of tags) if (!first.has(tagKey(tag))) first.set(tagKey(tag), tag);
  return [...first.values()];
}

/**
 * The tags in a text: a comma separates tags everywhere, so that a tag contains none.
 *
 * @example
 * splitTags('to read, Tea,, tea'); // ['to read', 'Tea']
 */
export function splitTags(text: string): string[] {
  const parts = text.split(',').map((tag) => tag.trim());
  return uniqueTags(parts.filter((tag) => tag !== ''));
}

/** The tags that a person typed into a field, perhaps each with a number sign: `#tea, to read`. */
export function readTags(typed: string): string[] {
  return splitTags(
    typed
      .split(',')
      .map((tag) => tag.trim().replace(/^#/, ''))
      .join(','),
  );
}
