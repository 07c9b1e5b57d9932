/**
 * Whether the metadata of two memories with the same text say that they are of two files: names that are not the same one or its end,
 * and different front matter. A copy of a file is no other one.
 *
 * @example
 * isOtherFile({ fileName: 'Dune.md', frontMatter: { by: 'Herbert' } }, { fileName: 'books/Dune.md', frontMatter: {} }); // false
 */
export function isOtherFile(one: Readonly<Record<string, unknown>>, other: Readonly<Record<string, unknown>>): boolean {
  const [first, second] = [one.fileName, other.fileName];
  if (typeof first !== 'string' || typeof second !== 'string') return false;
  const isSame = `/${first}`.endsWith(`/${second}`) || `/${second}`.endsWith(`/${first}`);
  return !isSame && JSON.stringify(one.frontMatter ?? null) !== JSON.stringify(other.frontMatter ?? null);
}
