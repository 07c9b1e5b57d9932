/** The lists of Omnivore's archive, beside the folders of its pages. */
const OMNIVORE_LIST = /(?:^|\/)metadata_\d+_to_\d+\.json$/;
const OF_OMNIVORE = /(?:^|\/)(?:content\/[^/]+\.html?|highlights\/[^/]+\.md)$/;

/**
 * Says which files of an archive are read with another file of it, and are not exports themselves.
 *
 * @example
 * companionsIn(['metadata_0_to_1.json', 'highlights/tea.md']).has('highlights/tea.md'); // true
 */
export function companionsIn(names: readonly string[]): ReadonlySet<string> {
  const folders = new Set(names.filter((name) => OMNIVORE_LIST.test(name)).map(folderOf));
  return new Set(names.filter((name) => OF_OMNIVORE.test(name) && folders.has(folderOf(folderOf(name).slice(0, -1)))));
}

/** The folder that a file is in, with its slash; empty if in none. */
export function folderOf(name: string): string {
  return name.slice(0, name.lastIndexOf('/') + 1);
}
