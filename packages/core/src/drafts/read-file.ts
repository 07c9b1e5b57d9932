import { isInstant, onClock, readDate } from '@recollect/contract/instant';
import { limits } from '@recollect/contract/limits';
import { isPageAddress } from '@recollect/contract/text';
import { findUnstorable } from '@recollect/contract/unstorable';
import type { ReadYaml } from '../ports/index.js';
import { isObject } from '../text/readable-json.js';

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
  const valuesByField = new Map(Object.entries(fields ?? {}).map(([field, value]) => [field.toLowerCase(), value]));
  const valuesOf = (...names: string[]) => names.flatMap((field) => textsOf(valuesByField.get(field)));
  const [title] = valuesOf('title');
  return {
    text: body.trim() === '' ? yaml : body,
    title: title ?? headingOf(body) ?? baseName,
    ownTitle: title !== undefined,
    tags: [
      ...tagsOf(valuesByField.get('tags')),
      ...tagsOf(valuesByField.get('tag')),
      ...tagsOf(valuesByField.get('keywords')),
    ],
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

/** A text file in its two parts. */
export interface SplitFile {
  /** The text without the front matter. */
  body: string;
  /** The YAML itself; empty without front matter. */
  yaml: string;
  /** Null without front matter. */
  fields: Record<string, unknown> | null;
}

/**
 * The longest front matter, in UTF-16 code units, which takes 0.1 seconds to read, and as JSON in bytes: metadata must
 * have room for more. Longer is text.
 */
const MAX_FRONT_MATTER = { characters: 16 * 1024, bytes: limits.capture.metadataBytes / 2 };
const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n(.*?)(?:(?<=\n)|\r?\n)(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/s;

/** Characters of front matter that are read for a request. */
const MAX_CHARACTERS_PER_REQUEST = 64 * 1024;

/** A reader with a limit per request. Reading 64 KiB can take half a second, and a request may have a hundred files. */
export function limitYaml(readYaml: ReadYaml): ReadYaml {
  let left = MAX_CHARACTERS_PER_REQUEST;
  return async (text) => {
    left -= text.length;
    if (left < 0) throw new RangeError('The front matter of these files is too long.');
    return readYaml(text);
  };
}

/**
 * Takes the front matter off a file.
 * Other text between two rules stays text, and so do values that metadata cannot keep.
 */
export async function splitFrontMatter(text: string, readYaml: ReadYaml): Promise<SplitFile> {
  const plain = { body: text, yaml: '', fields: null };
  const [whole, yaml] = FRONT_MATTER.exec(text.slice(0, MAX_FRONT_MATTER.characters)) ?? [];
  if (whole === undefined || yaml === undefined) return plain;
  const body = text.slice(whole.length);
  if (yaml.trim() === '') return { body, yaml: '', fields: null };
  const fields = await readYaml(yaml).catch(() => null);
  if (!isObject(fields) || findUnstorable(fields, 2) !== null) return plain;
  const bytes = new TextEncoder().encode(JSON.stringify(fields)).length;
  return bytes > MAX_FRONT_MATTER.bytes ? plain : { body, yaml, fields };
}

/** Characters of a heading that may be markup. */
const MARKUP = 1_000;
/** Characters that are searched for a title. */
const HEAD_CHARACTERS = 64 * 1024;
const FENCED = /^(```|~~~).*?^\1/gms;
/** A heading of level 1: with a hash, underlined, or as an element. */
const TITLE = /^#[ \t]+(\S.*)$|^(\S.*)\r?\n=+[ \t]*$|<h1\b[^<>]{0,1000}>([\s\S]{0,1000}?)<\/h1>/m;

/**
 * The title of a Markdown text: its first heading of level 1. Null if it has none: other headings name sections, such
 * as the lists of a board.
 */
export function headingOf(text: string): string | null {
  const prose = text.slice(0, HEAD_CHARACTERS).replace(FENCED, '').trimStart();
  const [, ...candidates] = TITLE.exec(prose) ?? [];
  const heading = candidates.find((candidate) => candidate !== undefined) ?? '';
  return plainTitle(heading.slice(0, limits.capture.titleLength + MARKUP)) || null;
}

/** A heading without pictures, addresses, elements and emphasis. */
function plainTitle(heading: string): string {
  return heading
    .replace(/(?<![ \t])[ \t]+#+[ \t]*$/, '')
    .replace(/!\[[^[\]]*\](?:\([^()]*(?:\([^()]*\)[^()]*)?\)|\[[^[\]]*\])/g, '')
    .replace(/\[([^[\]]*)\](?:\([^()]*(?:\([^()]*\)[^()]*)?\)|\[[^[\]]*\])/g, '$1')
    .replace(/<[^<>]*>/g, '')
    .replace(/&nbsp;/g, ' ')
    .replace(/&amp;/g, '&')
    .replace(/(\*{1,3}|(?<!\p{L})_{1,3}(?=\p{L}))(.{1,300}?)\1(?!\p{L})/gu, '$2')
    .replace(/`([^`]+)`/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
}

const NUMERIC =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[ T]+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(?:\s*([ap]m))?(?:\s*(z|utc|gmt|[+-]\d{2}(?::?\d{2})?))?\s*)?$/i;
const COMPACT = /^(\d{4})(\d{2})(\d{2})$/;
/** Month names, with a day and a year on both sides of them, in either order. */
const IN_WORDS = /^(?:[a-z]+,? )?(?:\d{1,2}(?:st|nd|rd|th)? [a-z]+|[a-z]+ \d{1,2}(?:st|nd|rd|th)?),? \d{4}(?:,? .*)?$/i;

/**
 * A date as files state it: ISO 8601 and its relatives, a link to a daily note, and in English words. Without a zone,
 * it is one on the clock of this machine, and a day without a time is its noon. Returns ISO 8601 in UTC, null for
 * anything else.
 *
 * @example
 * fileDate('2015-11-17 16:16:01 -0600') // '2015-11-17T22:16:01.000Z'
 * fileDate('Monday, April 22nd 2019, 6:51:17 pm') // '2019-04-22T18:51:17.000Z'
 */
export function fileDate(text: string): string | null {
  const date = text.replace(/^\[\[(.*)\]\]$/, '$1').trim();
  const numeric = numericDate(date.replace(COMPACT, '$1-$2-$3'));
  if (numeric !== null) return numeric;
  if (IN_WORDS.test(date)) return dateInWords(date);
  const day = readDate(date, { timeZone: 'UTC' });
  return day === null || /[a-z]/i.test(date) ? day : onClock(day.slice(0, 10));
}

function numericDate(date: string): string | null {
  const [whole, year, month = '', day = '', hour, minute = '00', second = '00', half, zone] = NUMERIC.exec(date) ?? [];
  if (whole === undefined) return null;
  const two = (number: string) => number.padStart(2, '0');
  const iso = `${year}-${two(month)}-${two(day)}`;
  if (hour === undefined) return isInstant(iso) ? onClock(iso) : null;
  const hours = half === undefined ? hour : `${(Number(hour) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0)}`;
  const time = `${iso}T${two(hours)}:${minute}:${second}`;
  const instant = time + offsetOf(zone ?? 'z');
  if (!isInstant(instant)) return null;
  return zone === undefined ? onClock(time) : new Date(instant).toISOString();
}

function offsetOf(zone: string): string {
  const [, sign, hours, minutes = '00'] = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone) ?? [];
  return sign === undefined ? 'Z' : `${sign}${hours}:${minutes}`;
}

/** As the engine reads English, which it does on the clock of this machine unless a zone is named. */
function dateInWords(date: string): string | null {
  const plain = date
    .replace(/(\d)(?:st|nd|rd|th)\b/gi, '$1')
    .replace(/ at /i, ' ')
    .replace(/^[a-z]+,? (?=[a-z]+ \d|\d+ [a-z])/i, '');
  const hasTime = /\d:\d/.test(plain);
  const time = Date.parse(hasTime ? plain : `${plain} 12:00`);
  return Number.isNaN(time) || !isInstant(new Date(time).toISOString()) ? null : new Date(time).toISOString();
}
