import { isInstant, readDate } from '@recollect/contract/instant';
import { limits } from '@recollect/contract/limits';
import { findUnstorable } from '@recollect/contract/unstorable';
import { isObject } from '../memories/readable-json.js';

/** Reads YAML into plain values, with dates as texts. Throws for what is not YAML. */
export type ReadYaml = (text: string) => Promise<unknown>;

/** What a text file says about itself. */
export interface FileFacts {
  /** The text without the front matter. */
  text: string;
  title: string | null;
  tags: string[];
  /** An http or https address. */
  url: string | null;
  /** When it was written: ISO 8601 in UTC. */
  date: string | null;
  /** All of the front matter; null without one. */
  frontMatter: Record<string, unknown> | null;
}

/** The longest front matter, in UTF-16 code units. More is text. */
const MOST = 64 * 1024;
const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n(.*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/s;
const MARKDOWN = /\.(?:md|markdown|mdown|mkd)$/i;

/**
 * Reads the front matter of a Markdown file, and finds its title: that of the front matter, its first heading, or the name of the file.
 * A text of another kind has the name of its file as its title: its first line is often a table's head or a chapter's.
 *
 * @example
 * await readFile('---\ntitle: Tea\ntags: [drink]\n---\nSteep it.', 'notes/tea.md', readYaml);
 * // { text: 'Steep it.', title: 'Tea', tags: ['drink'], … }
 */
export async function readFile(text: string, fileName: string, readYaml: ReadYaml | null): Promise<FileFacts> {
  const name = fileName.slice(Math.max(fileName.lastIndexOf('/'), fileName.lastIndexOf('\\')) + 1);
  const baseName = name.replace(/(?<=.)\.[^.]+$/, '') || null;
  const plain = { text, title: baseName, tags: [], url: null, date: null, frontMatter: null };
  if (!MARKDOWN.test(name)) return plain;
  const { body, fields } = await splitFrontMatter(text, readYaml);
  const known = new Map(Object.entries(fields ?? {}).map(([field, value]) => [field.toLowerCase(), value]));
  const valuesOf = (...names: string[]) => names.flatMap((field) => textOf(known.get(field)) ?? []);
  const [date] = valuesOf('date', 'created', 'published');
  return {
    text: body,
    title: valuesOf('title')[0] ?? headingOf(body) ?? baseName,
    tags: [...tagsOf(known.get('tags')), ...tagsOf(known.get('tag')), ...tagsOf(known.get('keywords'))],
    // A source may also be the name of a program or a book.
    url: valuesOf('source', 'url', 'link', 'canonical').find(isPageAddress) ?? null,
    date: date === undefined ? null : instantOf(date),
    frontMatter: fields,
  };
}

async function splitFrontMatter(
  text: string,
  readYaml: ReadYaml | null,
): Promise<{ body: string; fields: Record<string, unknown> | null }> {
  const [whole = '', yaml] = readYaml === null ? [] : (FRONT_MATTER.exec(text.slice(0, MOST)) ?? []);
  if (readYaml === null || yaml === undefined) return { body: text, fields: null };
  // What only looks like front matter, such as two rules, stays text, and so does what metadata cannot keep.
  const fields = await readYaml(yaml).catch(() => null);
  const isFrontMatter = isObject(fields) && findUnstorable(fields, 2) === null;
  return isFrontMatter ? { body: text.slice(whole.length), fields } : { body: text, fields: null };
}

/** The first heading, outside of code. */
function headingOf(text: string): string | null {
  const prose = text.slice(0, MOST).replace(/^(```|~~~).*?^\1/gms, '');
  const [, heading, underlined] = /^#{1,6}[ \t]+(.+?)[ \t]*#*$|^(\S.*)\r?\n=+[ \t]*$/m.exec(prose) ?? [];
  return (heading ?? underlined)?.trim() || null;
}

function isPageAddress(url: string): boolean {
  return url.length <= limits.capture.urlLength && /^https?:\/\//i.test(url) && URL.canParse(url);
}

function textOf(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? value.trim() || null : null;
}

/** Tags as a list, or as a text with commas or, as Obsidian allows, spaces. */
function tagsOf(value: unknown): string[] {
  const list = Array.isArray(value) ? value : typeof value === 'string' ? value.split(/,|\s+(?=#)/) : [];
  return list.map((tag) => (textOf(tag) ?? '').replace(/^#/, '')).filter((tag) => tag !== '');
}

/** A date as it is written in front matter, also with a time but without a zone, which then counts as UTC. */
function instantOf(date: string): string | null {
  const withZone = /^\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?$/.test(date)
    ? `${date.replace(' ', 'T')}Z`
    : date;
  if (isInstant(withZone)) return new Date(withZone).toISOString();
  return readDate(withZone);
}
