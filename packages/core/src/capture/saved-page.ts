import { isPageAddress } from '@recollect/contract/text';

/** Characters at the beginning of a page in which a browser says where it saved it from. */
const HEAD = 4_096;
const SINGLE_FILE =
  /<!--\s*Page saved with SingleFile\s+url:\s*(\S+)(?:\s+saved date:\s*([^\r\n]+?)\s*(?=[\r\n]|-->))?/i;
const SAVED_AS = /<!--\s*saved from url=\(\d+\)(\S+?)\s*-->/i;

/**
 * Where and when the file of a page was saved, as SingleFile and the "Save as" of browsers write it in a comment. Null
 * where it does not say. The date is ISO 8601 in UTC.
 */
export function readSavedPage(html: string): { url: string | null; date: string | null } {
  const head = html.slice(0, HEAD);
  const [, address, date = ''] = SINGLE_FILE.exec(head) ?? SAVED_AS.exec(head) ?? [];
  const url = address !== undefined && isPageAddress(address) ? address : null;
  const time = Date.parse(date);
  return { url, date: Number.isNaN(time) ? null : new Date(time).toISOString() };
}
