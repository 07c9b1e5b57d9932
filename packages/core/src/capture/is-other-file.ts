/**
 * Whether the metadata of two memories with the same text name two different files: their front matter differs, and
 * neither file name is the end of the other. A copy of a file is the same file.
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
