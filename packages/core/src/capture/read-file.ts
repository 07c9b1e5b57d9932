import { isPageAddress } from '@recollect/contract/text';
import { fileDate } from './file-date.js';
import { headingOf } from './file-title.js';
import { type ReadYaml, splitFrontMatter } from './front-matter.js';

/** The metadata of a text file. */
export interface FileFacts {
  /** The text without the front matter; the front matter itself if there is no other text. */
  text: string;
  title: string | null;
  /** Whether the title comes from the front matter: then the user chose it. */
  ownTitle: boolean;
  tags: string[];
  /** An http or https address. */
  url: string | null;
  /** When it was written, as far as it can be read: ISO 8601 in UTC, the most likely first. */
  dates: string[];
  /** All of the front matter; null without one. */
  frontMatter: Record<string, unknown> | null;
}

const MARKDOWN = /\.(?:md|markdown|mdown|mkd)$/i;
/** Fields in which programs write when a note was made. */
const DATES = ['date', 'created', 'date created', 'created at', 'created_at', 'createdat', 'date_saved', 'published'];

/**
 * Reads the front matter of a Markdown file, and finds its title: from the front matter, its heading, or the name of
 * the file. Other text takes its title from the file name,
 * since its first line is often the head of a table or chapter.
 *
 * @example
 * await readFile('---\ntitle: Tea\ntags: [drink]\n---\nSteep it.', 'notes/tea.md', readYaml);
 * // { text: 'Steep it.', title: 'Tea', tags: ['drink'], … }
 */
export async function readFile(text: string, fileName: string, readYaml: ReadYaml | null): Promise<FileFacts> {
  const name = fileName.slice(Math.max(fileName.lastIndexOf('/'), fileName.lastIndexOf('\\')) + 1);
  const baseName = name.replace(/(?<=.)\.[^.]+$/, '') || null;
  const plain = { text, title: baseName, ownTitle: false, tags: [], url: null, dates: [], frontMatter: null };
  if (!MARKDOWN.test(name)) return plain;
  if (readYaml === null) return { ...plain, title: headingOf(text) ?? baseName };
  const { body, yaml, fields } = await splitFrontMatter(text, readYaml);
  const known = new Map(Object.entries(fields ?? {}).map(([field, value]) => [field.toLowerCase(), value]));
  const valuesOf = (...names: string[]) => names.flatMap((field) => textsOf(known.get(field)));
  const [title] = valuesOf('title');
  return {
    text: body.trim() === '' ? yaml : body,
    title: title ?? headingOf(body) ?? baseName,
    ownTitle: title !== undefined,
    tags: [...tagsOf(known.get('tags')), ...tagsOf(known.get('tag')), ...tagsOf(known.get('keywords'))],
    // A source may also be the name of a program or a book.
    url: valuesOf('source', 'url', 'link', 'canonical').map(addressIn).find(isPageAddress) ?? null,
    dates: valuesOf(...DATES).flatMap((date) => fileDate(date) ?? []),
    frontMatter: fields,
  };
}

/** The address of a value that is one, a link in Markdown, or an address in angle brackets. */
function addressIn(value: string): string {
  const [, inLink, inBrackets] = /^\[[^\]]*\]\((\S+?)\)$|^<(\S+)>$/.exec(value) ?? [];
  return inLink ?? inBrackets ?? value;
}

/** A value as texts: one for a text or a number, and each of a list. */
function textsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsOf);
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : '';
  return text === '' ? [] : [text];
}

/** Tags as a list, or as a text with commas or, as Obsidian allows, spaces. */
function tagsOf(value: unknown): string[] {
  const list = typeof value === 'string' ? value.split(/,|(?<=\s)(?=#)/) : [value];
  return list.flatMap(textsOf).flatMap((tag) => tag.replace(/^#/, '') || []);
}
