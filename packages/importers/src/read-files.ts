import { open, readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Archive } from './archive.js';
import { companionsIn, folderOf } from './companions.js';
import { type InArchive, importFile } from './import-file.js';
import type { ImportFile, SkippedItem } from './importer.js';
import { isZip, openZip } from './zip-archive.js';

/** The largest file, in bytes: a text in V8 has at most about 512 million characters. */
const MOST = 500_000_000;
/** Files of an archive that can be an export. Pictures and sounds are not read. */
const READABLE = /\.(?:json|jsonl|html?|csv|txt|enex|md|markdown)(?:\.gz)?$/i;

export interface ReadFilesOptions {
  /** What the file is called in reports; its own name by default. */
  name?: string | undefined;
  /** Decodes a text file of any encoding; null if it is no text. */
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

/** What the Mac's Finder adds to an archive about each file. */
const OF_FINDER = /(?:^|\/)(?:__MACOSX\/|\._|\.DS_Store$)/;
/** Hidden files and folders hold settings, and what was deleted: `.obsidian`, `.trash`. */
const HIDDEN = /(?:^|\/)\.(?!\.?\/)/;

/** A file of an archive that cannot be an export, such as a picture. */
export interface OtherFile {
  other: string;
  /** Whether it is a text, which may be worth importing. */
  isText?: boolean;
}

/** How deep archives may be nested, and how many bytes all files of one may have. */
const DEPTH = 3;
const ALL = 8_000_000_000;
/** Exports of text unfold to 4 to 30 times their size, and bombs to 1,000 times. */
const UNFOLDED = { always: 100_000_000, times: 100 };

/** What is left to be read of an export. */
interface Budget {
  bytes: number;
}

/** What a compressed file may unfold to, all files in it together. */
function budgetOf(compressed: number, { always, times } = UNFOLDED): Budget {
  return { bytes: Math.min(ALL, always + times * compressed) };
}

/**
 * The files of an export: the file itself, also compressed by gzip, or those of a ZIP archive, also in archives within it. Of those that
 * cannot be an export, or are hidden, only the names are given. A file that is damaged, too large or no text is skipped. Throws the system's error for a file that cannot be read,
 * {@link UnreadableArchiveError} for an archive whose list of files cannot be, and the signal's reason.
 */
export async function* readFiles(
  path: string,
  options: ReadFilesOptions,
): AsyncGenerator<ImportFile | SkippedItem | OtherFile> {
  const { name = basename(path), mayRead } = options;
  const { size } = await stat(path);
  const budget = budgetOf(size, options.unfolded);
  if (await isArchive(path)) {
    try {
      yield* readArchive(await openZip(path), { folder: '', depth: 1, budget }, options);
    } catch (error) {
      options.signal?.throwIfAborted();
      throw new UnreadableArchiveError((error as Error).message, { cause: error });
    }
    return;
  }
  if ((await mayRead?.(name)) === false) return;
  yield size > MOST ? tooLarge(name) : toFile(name, await readFile(path), { budget }, options);
}

async function isArchive(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const { buffer: head } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return isZip(head);
  } finally {
    await file.close();
  }
}

/** Where an archive is, and what may be read of it. */
interface Place {
  folder: string;
  depth: number;
  budget: Budget;
}

async function* readArchive(
  archive: Archive,
  { folder, depth, budget }: Place,
  options: ReadFilesOptions,
): AsyncGenerator<ImportFile | SkippedItem | OtherFile> {
  const byName = new Map(archive.files.map((file) => [file.name, file]));
  const companions = companionsIn([...byName.keys()]);
  const used = new Set<string>();
  /** Reads another file of the archive for an importer. A damaged one is as good as missing. */
  const sibling = async (name: string): Promise<string | null> => {
    const file = byName.get(name);
    if (file === undefined || file.size > Math.min(MOST, budget.bytes)) return null;
    budget.bytes -= file.size;
    used.add(name);
    return options.decode(await file.read().catch(() => Buffer.alloc(0)));
  };
  try {
    for (const file of archive.files) {
      options.signal?.throwIfAborted();
      const name = folder + file.name;
      const isNested = /\.zip$/i.test(name);
      if (name.endsWith('/') || OF_FINDER.test(name) || companions.has(file.name)) continue;
      if (!isNested && (await options.mayRead?.(name)) === false) continue;
      if (HIDDEN.test(name) || (!isNested && !READABLE.test(name))) {
        yield { other: name };
        continue;
      }
      budget.bytes -= file.size;
      if (file.size > MOST || budget.bytes < 0 || (isNested && depth === DEPTH)) {
        yield tooLarge(name);
        continue;
      }
      try {
        const bytes = await file.read();
        const archived = {
          sibling: (path: string) => sibling(folderOf(file.name) + path),
          isCopy: !/\.json$/i.test(file.name) && byName.has(file.name.replace(/\.[^./]*$/, '.json')),
        };
        if (!isNested) yield toFile(name, bytes, { budget, archived }, options);
        else if (isZip(bytes)) {
          const place = { folder: `${name}/`, depth: depth + 1, budget };
          yield* readArchive(await openZip(bytes), place, options);
        }
      } catch (error) {
        options.signal?.throwIfAborted();
        yield { skipped: name, reason: `It cannot be read: ${(error as Error).message}.` };
      }
    }
    for (const name of companions) if (!used.has(name)) yield { other: folder + name, isText: true };
    if (archive.fault !== null) throw archive.fault;
  } finally {
    archive.close();
  }
}

/** @param budget what is left of it for a file that is compressed itself */
function toFile(
  name: string,
  bytes: Uint8Array,
  { budget, archived }: { budget: Budget; archived?: InArchive },
  { decode, unfolded }: ReadFilesOptions,
): ImportFile | SkippedItem {
  try {
    const text = decode(isGzip(bytes) ? unfold(bytes, budget, unfolded) : bytes);
    return text === null ? { skipped: name, reason: 'It is no text.' } : importFile(name, text, archived);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return tooLarge(name);
    return { skipped: name, reason: `It cannot be read: ${(error as Error).message}.` };
  }
}

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

function unfold(bytes: Uint8Array, budget: Budget, limit: ReadFilesOptions['unfolded']): Uint8Array {
  const most = Math.min(MOST, budget.bytes, budgetOf(bytes.length, limit).bytes);
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
