import { open, readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type Archive, type ArchivedFile, EncryptedError, isTar, isZip, openTar, openZip } from './archive.js';
import { pastDate } from './documents/document.js';
import { isDocumentFile } from './documents/kinds.js';
import { openFolder } from './folder.js';
import { type InArchive, importFile } from './import-file.js';
import type { ImportFile, SkippedItem } from './importer.js';

/** The lists of Omnivore's archive, beside the folders of its pages. */
const OMNIVORE_LIST = /(?:^|\/)metadata_\d+_to_\d+\.json$/;
const OF_OMNIVORE = /(?:^|\/)(?:content\/[^/]+\.html?|highlights\/[^/]+\.md)$/;
/** The list of Matter's archive, in the folder of its pages. */
const MATTER_LIST = /(?:^|\/)_matter_history\.csv$/;

/**
 * Says which files of an archive are read with another file of it, and are not exports themselves.
 *
 * @example
 * companionsIn(['metadata_0_to_1.json', 'highlights/tea.md']).has('highlights/tea.md'); // true
 */
export function companionsIn(names: readonly string[]): ReadonlySet<string> {
  const foldersWith = (list: RegExp) => new Set(names.filter((name) => list.test(name)).map(folderOf));
  const [omnivore, matter] = [foldersWith(OMNIVORE_LIST), foldersWith(MATTER_LIST)];
  const isCompanion = (name: string) =>
    (OF_OMNIVORE.test(name) && omnivore.has(folderOf(folderOf(name).slice(0, -1)))) ||
    (/\.html?$/i.test(name) && matter.has(folderOf(name)));
  return new Set(names.filter(isCompanion));
}

/** The folder that a file is in, with its slash; empty if in none. */
function folderOf(name: string): string {
  return name.slice(0, name.lastIndexOf('/') + 1);
}

/** The largest file, in bytes: a text in V8 has at most about 512 million characters. */
const MAX_FILE_BYTES = 500_000_000;
/** Files of an archive that can be an export. Pictures and sounds are not read. */
const READABLE = /\.(?:json|jsonl|html?|csv|txt|enex|md|markdown|mdown|mkd|opml)(?:\.gz)?$/i;
/** Files of a folder that are texts, besides. */
const TEXTS = /\.(?:text|xhtml|tsv|rst|org|adoc|tex|srt|vtt)$/i;

export interface ReadFilesOptions {
  /** The name of the file in reports; its own name by default. */
  name?: string | undefined;
  /** Decodes a text file of any encoding; null if it is not text. */
  decode: (bytes: Uint8Array) => string | null;
  signal?: AbortSignal | undefined;
  /** Called before each file is read. False leaves it out. */
  mayRead?: ((name: string) => Promise<boolean>) | undefined;
  /** Bytes that a compressed file may unfold to: always, and for each byte of it. */
  unfolded?: { always: number; times: number } | undefined;
}

/** An archive that is damaged or incomplete. */
export class UnreadableArchiveError extends Error {
  override readonly name = 'UnreadableArchiveError';
}

/** Files that the Mac's Finder adds to an archive for each file. */
const OF_FINDER = /(?:^|\/)(?:__MACOSX\/|\._|\.DS_Store$)/;
/** Hidden files and folders hold settings and deleted files: `.obsidian`, `.trash`. */
const HIDDEN = /(?:^|\/)\.(?!\.?\/)/;

/** A file of an archive that cannot be an export, such as a picture. */
export interface OtherFile {
  other: string;
  /** Whether it is a text, which may be worth importing. */
  isText?: boolean;
}

/** A book, a document of an office program, a PDF, a mail, a saved page or a notebook. */
export interface DocumentFile {
  document: string;
  bytes: Uint8Array;
  /** When it was changed last, as ISO 8601 in UTC; null if that is not known. */
  changedAt: string | null;
}

/** A text, and whether it is a file of the user's folder: such a file is kept even if it is not an export. */
export type TextFile = ImportFile & { isOwn: boolean };

type Read = TextFile | DocumentFile | SkippedItem | OtherFile;

/** How deep archives may be nested, and how many bytes all files of one may have. */
const MAX_DEPTH = 3;
const MAX_UNFOLDED_BYTES = 8_000_000_000;
/** Exports of text unfold to 4 to 30 times their size, and bombs to 1,000 times. */
const UNFOLDED = { always: 100_000_000, times: 100 };

/** How much of an export may still be read. */
interface Budget {
  bytes: number;
}

/** The maximum uncompressed size of a compressed file, over all files in it. */
function budgetOf(compressed: number, { always, times } = UNFOLDED): Budget {
  return { bytes: Math.min(MAX_UNFOLDED_BYTES, always + times * compressed) };
}

/**
 * Reads the files of an export: the file itself, also compressed by gzip, or the files of a folder or an archive (ZIP,
 * tar), also in nested archives. Yields only the name of a file that is hidden or cannot be an export. Skips a file
 * that is damaged, too large or not text. Throws the system's error for an unreadable file, {@link
 * UnreadableArchiveError} for an archive with an unreadable list of files, and the signal's reason.
 */
export async function* readFiles(path: string, options: ReadFilesOptions): AsyncGenerator<Read> {
  const { name = basename(path), mayRead } = options;
  const facts = await stat(path);
  const isFolder = facts.isDirectory();
  const budget = isFolder ? { bytes: Number.POSITIVE_INFINITY } : budgetOf(facts.size, options.unfolded);
  try {
    const archive = isFolder ? await openFolder(path) : await openArchive(path, name, budget);
    if (archive !== null) {
      yield* readArchive(archive, { folder: '', depth: 1, budget, isFolder }, options);
      return;
    }
  } catch (error) {
    options.signal?.throwIfAborted();
    if (isFolder) throw error;
    throw new UnreadableArchiveError((error as Error).message, { cause: error });
  }
  if ((await mayRead?.(name)) === false) return;
  if (facts.size > MAX_FILE_BYTES) yield tooLarge(name);
  else {
    const changedAt = pastDate(facts.mtime);
    yield toFile(name, await readFile(path), { budget, place: { changedAt } }, options);
  }
}

/** Opens an archive; null for any other file. E-books and office documents are also archives. */
async function openArchive(path: string, name: string, budget: Budget): Promise<Archive | null> {
  const file = await open(path, 'r');
  const { buffer: head } = await file.read(Buffer.alloc(512), 0, 512, 0).finally(() => file.close());
  if (isDocumentFile(name, head)) return null;
  if (isZip(head)) return openZip(path);
  const isPacked = isGzip(head) && /\.(?:tar\.gz|tgz)$/i.test(name);
  if (!isTar(head) && !isPacked) return null;
  return openTar(path, { isWanted: isReadable, most: Math.min(MAX_FILE_BYTES, budget.bytes), isGzip: isPacked });
}

function isReadable(name: string): boolean {
  return READABLE.test(name) || isDocumentFile(name);
}

/** The place of an archive, and the limit for reading it. */
interface Place {
  folder: string;
  depth: number;
  budget: Budget;
  isFolder: boolean;
}

async function* readArchive(archive: Archive, place: Place, options: ReadFilesOptions): AsyncGenerator<Read> {
  const { folder, depth, budget, isFolder } = place;
  const byName = new Map(archive.files.map((file) => [file.name, file]));
  const names = [...byName.keys()];
  const companions = companionsIn(names);
  const used = new Set<string>();
  /** Reads another file of the archive for an importer. A damaged one is as good as missing. */
  const sibling = async (name: string): Promise<string | null> => {
    const file = byName.get(name);
    if (file === undefined || file.size > Math.min(MAX_FILE_BYTES, budget.bytes)) return null;
    budget.bytes -= file.size;
    used.add(name);
    return options.decode(await file.read().catch(() => Buffer.alloc(0)));
  };
  /** Reads a file that can be an export, or the archive that it is. */
  async function* readOne(file: ArchivedFile, name: string): AsyncGenerator<Read> {
    const bytes = await file.read();
    if (/\.zip$/i.test(name) && !isDocumentFile(name, bytes)) {
      if (!isZip(bytes)) return;
      yield* readArchive(await openZip(bytes), { ...place, folder: `${name}/`, depth: depth + 1 }, options);
      return;
    }
    const inArchive = {
      sibling: (path: string) => sibling(folderOf(file.name) + path),
      isCopy: !/\.json$/i.test(file.name) && byName.has(file.name.replace(/\.[^./]*$/, '.json')),
      names,
      changedAt: pastDate(file.changedAt),
    };
    yield toFile(name, bytes, { budget, place: inArchive, isOwn: isFolder && depth === 1 }, options);
  }

  try {
    for (const file of archive.files) {
      options.signal?.throwIfAborted();
      const name = folder + file.name;
      const isNested = /\.zip$/i.test(name);
      if (name.endsWith('/') || OF_FINDER.test(name) || companions.has(file.name)) continue;
      if (!isNested && (await options.mayRead?.(name)) === false) continue;
      const isText = isReadable(name) || (isFolder && TEXTS.test(name));
      if (HIDDEN.test(name) || (!isNested && !isText)) {
        yield { other: name };
        continue;
      }
      budget.bytes -= file.size;
      if (file.size > MAX_FILE_BYTES || budget.bytes < 0 || (isNested && depth === MAX_DEPTH)) {
        yield tooLarge(name);
        continue;
      }
      try {
        yield* readOne(file, name);
      } catch (error) {
        options.signal?.throwIfAborted();
        const { message } = error as Error;
        yield { skipped: name, reason: error instanceof EncryptedError ? message : `It cannot be read: ${message}.` };
      }
    }
    for (const name of companions) if (!used.has(name)) yield { other: folder + name, isText: true };
    if (archive.fault !== null) throw archive.fault;
  } finally {
    archive.close();
  }
}

/** @param budget the remaining budget for a file that is compressed itself */
function toFile(
  name: string,
  bytes: Uint8Array,
  { budget, place, isOwn = false }: { budget: Budget; place: Partial<InArchive>; isOwn?: boolean },
  { decode, unfolded }: ReadFilesOptions,
): Read {
  try {
    if (isDocumentFile(name, bytes)) return { document: name, bytes, changedAt: place.changedAt ?? null };
    const text = decode(isGzip(bytes) ? unfold(bytes, budget, unfolded) : bytes);
    if (text === null) return { skipped: name, reason: 'Not a text file.' };
    return { ...importFile(name, text, place), isOwn };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return tooLarge(name);
    return { skipped: name, reason: `It cannot be read: ${(error as Error).message}.` };
  }
}

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

function unfold(bytes: Uint8Array, budget: Budget, limit: ReadFilesOptions['unfolded']): Uint8Array {
  const most = Math.min(MAX_FILE_BYTES, budget.bytes, budgetOf(bytes.length, limit).bytes);
  const content = gunzipSync(bytes, { maxOutputLength: Math.max(1, most) });
  budget.bytes -= content.length;
  return content;
}

function tooLarge(name: string): SkippedItem {
  return {
    skipped: name,
    reason:
      'It is too large: more than 500 MB, with the others more than 8 GB or than 100 times its archive, or nested too deep.',
  };
}
