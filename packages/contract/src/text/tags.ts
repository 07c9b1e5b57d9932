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
 * The path of a tag: slashes separate its parts, without blank ones.
 *
 * @example
 * tagPath('/dev // databases/'); // 'dev/databases'
 */
export function tagPath(tag: string): string {
  return tag
    .split('/')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('/');
}

/**
 * The key of a tag in a filter, which finds the tag and all tags below it. A tag of slashes only, as earlier versions
 * allowed, stands for itself.
 *
 * @example
 * branchKey('Dev/'); // 'dev'
 */
export function branchKey(tag: string): string {
  return tagKey(tagPath(tag) || tag);
}

/** Whether a tag is the tag of a branch, or below it. Both are keys. */
export function isInBranch(key: string, branch: string): boolean {
  return key === branch || key.startsWith(`${branch}/`);
}

/**
 * The tags above a tag, the outermost first.
 *
 * @example
 * tagsAbove('a/b/c'); // ['a', 'a/b']
 */
export function tagsAbove(tag: string): string[] {
  const parts = tag.split('/');
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('/'));
}

/**
 * The tags in a text: a comma separates tags everywhere, so that a tag contains none. Slashes nest them.
 *
 * @example
 * splitTags('to read, Tea,, tea'); // ['to read', 'Tea']
 */
export function splitTags(text: string): string[] {
  const parts = text.split(',').map(tagPath);
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
