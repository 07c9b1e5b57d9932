import { basename } from 'node:path';

/** Files that are kept in step. */
const WATCHED = /\.(?:md|markdown|mdown|mkd|txt|text|org|rst|adoc|tex|pdf|epub|docx|odt)$/i;
/** What editors and synchronisers write beside a file: locks, backups and halves. */
const TEMPORARY =
  /^(?:\.|~\$|#)|(?:~|#|\.(?:tmp|temp|swp|swx|bak|part|partial|crdownload|download))$|\.sb-[0-9a-f]|^4913$/i;
const LEFT_OUT: readonly string[] = ['node_modules'];

/** Whether a file is kept in step, by its name. */
export function isWatchedFile(path: string): boolean {
  return WATCHED.test(path) && !TEMPORARY.test(basename(path));
}

/** Whether a folder in a watched one is left out: a hidden one has settings, or what was deleted. */
export function isLeftOut(folder: string): boolean {
  return folder.startsWith('.') || LEFT_OUT.includes(folder);
}
