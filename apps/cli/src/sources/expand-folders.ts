import { readdir, stat } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';

/** Extensions of the files that a folder is searched for. A file that is named itself may have any. */
const TEXTS = new Set(
  [
    'md',
    'markdown',
    'mdown',
    'mkd',
    'txt',
    'text',
    'html',
    'htm',
    'xhtml',
    'mhtml',
    'mht',
    'pdf',
    'epub',
    'docx',
    'odt',
    'eml',
    'ipynb',
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

/** A file or another source that is captured. */
export interface Source {
  source: string;
  /**
   * The path of the file below the folder that was searched, with `/` between folders. Undefined for other sources.
   */
  fileName?: string;
}

/** The texts of folders, and what else was in them. */
export interface Expanded {
  sources: Source[];
  /** Paths of the files that are not text, without hidden files and `node_modules`. */
  skipped: string[];
}

/**
 * The sources with the texts of each folder in its place, by name. Hidden files and `node_modules` are left out.
 *
 * @param onUnreadable called with each folder that cannot be read, which is left out
 */
export async function expandFolders(
  sources: readonly string[],
  onUnreadable: (error: unknown, folder: string) => void,
): Promise<Expanded> {
  const skipped: string[] = [];
  const expanded = await Promise.all(
    sources.map(async (source): Promise<Source[]> => {
      const facts = await stat(source).catch(() => null);
      if (!facts?.isDirectory()) return [{ source }];
      const files = await filesIn(source, onUnreadable);
      const isText = (path: string) => TEXTS.has(extname(path).toLowerCase());
      for (const path of files) if (!isText(path)) skipped.push(path);
      return files
        .filter(isText)
        .map((path) => ({ source: path, fileName: relative(source, path).replaceAll(sep, '/') }));
    }),
  );
  return { sources: expanded.flat(), skipped };
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (facts) => facts.isFile(),
    () => false,
  );
}

async function filesIn(folder: string, onUnreadable: (error: unknown, folder: string) => void): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error) => {
    onUnreadable(error, folder);
    return [];
  });
  const visible = entries.filter(({ name }) => !name.startsWith('.') && name !== 'node_modules');
  const paths: string[] = [];
  for (const entry of visible.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    // A link to a folder may lead back to a parent folder.
    if (entry.isDirectory()) for (const inner of await filesIn(path, onUnreadable)) paths.push(inner);
    else if (entry.isFile() || (entry.isSymbolicLink() && (await isFile(path)))) paths.push(path);
  }
  return paths;
}
