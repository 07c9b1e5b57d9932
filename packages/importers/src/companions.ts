/** The lists of Omnivore's archive, beside the folders of its pages. */
const OMNIVORE_LIST = /(?:^|\/)metadata_\d+_to_\d+\.json$/;
const OF_OMNIVORE = /(?:^|\/)(?:content\/[^/]+\.html?|highlights\/[^/]+\.md)$/;
/** The list of Matter's archive, in the folder of its pages. */
const MATTER_LIST = /(?:^|\/)_matter_history\.csv$/;

/**
 * Says which files of an archive are read with another file of it, and are not exports themselves.
 *
 * @example
 * companionsIn(['metadata_0_to_1.json', 'highlights/tea.md']).has('highlights/tea.md'); // true
 */
export function companionsIn(names: readonly string[]): ReadonlySet<string> {
  const foldersWith = (list: RegExp) => new Set(names.filter((name) => list.test(name)).map(folderOf));
  const [omnivore, matter] = [foldersWith(OMNIVORE_LIST), foldersWith(MATTER_LIST)];
  const isCompanion = (name: string) =>
    (OF_OMNIVORE.test(name) && omnivore.has(folderOf(folderOf(name).slice(0, -1)))) ||
    (/\.html?$/i.test(name) && matter.has(folderOf(name)));
  return new Set(names.filter(isCompanion));
}

/** The folder that a file is in, with its slash; empty if in none. */
export function folderOf(name: string): string {
  return name.slice(0, name.lastIndexOf('/') + 1);
}
