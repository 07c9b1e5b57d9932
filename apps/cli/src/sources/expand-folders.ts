import { readdir, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';

/** Extensions of the files that a folder is searched for. A file that is named itself may have any. */
const TEXTS = new Set(
  [
    'md',
    'markdown',
    'txt',
    'text',
    'html',
    'htm',
    'xhtml',
    'csv',
    'tsv',
    'rst',
    'org',
    'adoc',
    'tex',
    'srt',
    'vtt',
  ].map((extension) => `.${extension}`),
);

/**
 * The sources with the texts of each folder in its place, by name. Hidden files and `node_modules` are left out.
 *
 * @param onUnreadable called with each folder that cannot be read, which is left out
 */
export async function expandFolders(
  sources: readonly string[],
  onUnreadable: (error: unknown, folder: string) => void,
): Promise<string[]> {
  const expanded = await Promise.all(
    sources.map(async (source) => {
      const facts = await stat(source).catch(() => null);
      return facts?.isDirectory() ? textsIn(source, onUnreadable) : [source];
    }),
  );
  return expanded.flat();
}

async function textsIn(folder: string, onUnreadable: (error: unknown, folder: string) => void): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error) => {
    onUnreadable(error, folder);
    return [];
  });
  const visible = entries.filter(({ name }) => !name.startsWith('.') && name !== 'node_modules');
  const found: string[] = [];
  for (const entry of visible.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    // A link may lead back to the folder that it is in.
    if (entry.isDirectory()) found.push(...(await textsIn(path, onUnreadable)));
    else if (entry.isFile() && TEXTS.has(extname(entry.name).toLowerCase())) found.push(path);
  }
  return found;
}
