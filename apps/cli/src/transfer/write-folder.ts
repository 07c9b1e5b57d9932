import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExportRecord } from '@recollect/contract';
import { wholeBoundary } from '@recollect/contract/text';
import { isObject } from '@recollect/core';
import { stringify } from 'yaml';
import { explainFileError } from './write-file.js';

/**
 * Writes a folder with a Markdown file for each memory. The folder appears under its name once it is complete. Returns
 * the bytes of the files.
 */
export async function writeMarkdownFolder(
  path: string,
  records: AsyncIterable<ExportRecord>,
  signal: AbortSignal,
): Promise<number> {
  // Process ids recur in containers, so one that was killed may have left a folder with this one's id.
  const temporary = `${path}.${randomUUID().slice(0, 13)}.partial`;
  await mkdir(temporary, { mode: 0o700 }).catch((error) => Promise.reject(explainFileError(error, path)));
  let bytes = 0;
  try {
    for await (const record of records) {
      signal.throwIfAborted();
      const note = toNote(record);
      await writeNew(join(temporary, noteFileName(record)), note).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
        return writeNew(join(temporary, noteFileName(record, record.id)), note);
      });
      bytes += Buffer.byteLength(note);
    }
    await rename(temporary, path);
    return bytes;
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    throw explainFileError(error, path);
  }
}

function writeNew(path: string, text: string): Promise<void> {
  return writeFile(path, text, { flag: 'wx', mode: 0o600 });
}

/** Bytes of the title in a name. With the id, a name has at most 143 bytes, which encrypted file systems allow too. */
const TITLE_BYTES = 100;
/** Not allowed in names on Windows, or with a meaning in links of Obsidian. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: file systems do not allow them.
const UNSAFE = /[\u0000-\u001f\u007f-\u009f<>:"/\\|?*#^[\]\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;
/** Windows reserves these names, also with an extension. */
const RESERVED = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])\s*(?:\.|$)/i;

/** Programs take such a name for options, as in `rm *`; shells expand a `~`. */
const AN_OPTION = /^[-~+]/;

/**
 * The name of a memory's file: its title, and the random end of its id, so that names differ without regard to case.
 * The same title and id always make the same name, which every operating system accepts.
 *
 * @example
 * noteFileName({ id: '019f0c1e-7d3a-7000-8a51-3c1b2f4d5e6f', title: 'What is tea?' }); // 'What is tea 3c1b2f4d5e6f.md'
 */
export function noteFileName({ id, title }: { id: string; title: string }, ending = id.slice(-12)): string {
  const clean = title
    .toWellFormed()
    .normalize('NFC')
    .replace(UNSAFE, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[\s.]+/, '');
  const short = cut(clean).replace(/(?<![\s.])[\s.]+$/, '');
  const name = short === '' ? 'Untitled' : RESERVED.test(short) || AN_OPTION.test(short) ? `_${short}` : short;
  return `${name} ${ending}.md`;
}

function cut(text: string): string {
  let end = Math.min(text.length, TITLE_BYTES);
  while (Buffer.byteLength(text.slice(0, end)) > TITLE_BYTES) end -= 1;
  return text.slice(0, wholeBoundary(text, end));
}

/** A memory as a Markdown file with YAML front matter, whose properties Obsidian shows. Times are in UTC. */
export function toNote(record: ExportRecord): string {
  const { title, text, highlights } = record;
  const heading = /^\s*# /.test(text) ? '' : `# ${title.replace(/\s+/g, ' ').trim()}\n\n`;
  const marked = highlights.length === 0 ? '' : `\n\n## Highlights\n\n${highlights.map(toQuote).join('\n\n')}`;
  return `---\n${frontMatter(record)}---\n\n${heading}${text.trimEnd()}${marked}\n`;
}

function frontMatter(record: ExportRecord): string {
  const { id, title, url, tags, note, sourceApp, page, metadata, capturedAt, lastCapturedAt, updatedAt } = record;
  const writtenProperties = ownProperties(metadata);
  const author = page.author ?? writtenProperties.author;
  const properties = {
    title,
    ...(url === null ? {} : { url }),
    ...(tags.length === 0 ? {} : { tags: [...new Set(tags.map(toObsidianTag))] }),
    ...(note === null ? {} : { note }),
    ...(author === undefined ? {} : { author }),
    created: dateTime(capturedAt),
    ...(lastCapturedAt === capturedAt ? {} : { captured: dateTime(lastCapturedAt) }),
    modified: dateTime(updatedAt),
    source: writtenProperties.source ?? sourceApp,
    id,
  };
  return stringify({ ...writtenProperties, ...properties }, { lineWidth: 0 });
}

/** The front matter of a memory's file, without the fields that every note has. */
function ownProperties({ frontMatter }: ExportRecord['metadata']): Record<string, unknown> {
  const fields = Object.entries(isObject(frontMatter) ? frontMatter : {});
  return Object.fromEntries(fields.filter(([name]) => !/^(?:tags?|keywords|note|id)$/i.test(name)));
}

/** As Obsidian's properties have it, which knows no time zones. */
function dateTime(instant: string): string {
  return instant.slice(0, 19);
}

/** Obsidian's tags have letters, digits, `_`, `-` and `/`, and not only digits. */
function toObsidianTag(tag: string): string {
  const clean = tag
    .replace(/^#+/, '')
    .replace(/[^\p{L}\p{M}\p{N}\p{Extended_Pictographic}\p{Join_Control}_/-]+/gu, '-')
    .replace(/^-+|(?<!-)-+$/g, '');
  return clean === '' || /^\p{N}+$/u.test(clean) ? `_${clean}` : clean;
}

function toQuote({ quote, note }: ExportRecord['highlights'][number]): string {
  const lines = quote.split(/\r\n?|\n/).map((line) => `> ${line}`.trimEnd());
  return note === null ? lines.join('\n') : `${lines.join('\n')}\n\n${note}`;
}
