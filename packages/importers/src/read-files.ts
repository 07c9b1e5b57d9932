import { open, readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { crc32, gunzipSync } from 'node:zlib';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { importFile } from './import-file.js';
import type { ImportFile, SkippedItem } from './importer.js';

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
      const archive = await promisify<string, yauzl.Options, ZipFile>(yauzl.open)(path, OPTIONS);
      yield* readArchive(archive, { folder: '', depth: 1, budget }, options);
    } catch (error) {
      options.signal?.throwIfAborted();
      throw new UnreadableArchiveError((error as Error).message, { cause: error });
    }
    return;
  }
  if ((await mayRead?.(name)) === false) return;
  yield size > MOST ? tooLarge(name) : toFile(name, await readFile(path), budget, options);
}

/** Names are not checked, since nothing is written to them. */
const OPTIONS = { lazyEntries: true, decodeStrings: false };

async function isArchive(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const { buffer: head } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return isZip(head);
  } finally {
    await file.close();
  }
}

function isZip(head: Uint8Array): boolean {
  return head[0] === 0x50 && head[1] === 0x4b && (head[2] === 3 || head[2] === 5);
}

async function* readArchive(
  archive: ZipFile,
  { folder, depth, budget }: { folder: string; depth: number; budget: Budget },
  options: ReadFilesOptions,
): AsyncGenerator<ImportFile | SkippedItem | OtherFile> {
  try {
    for await (const entry of entriesOf(archive)) {
      options.signal?.throwIfAborted();
      const name = folder + Buffer.from(entry.fileName).toString('utf8');
      const isNested = /\.zip$/i.test(name);
      if (name.endsWith('/') || OF_FINDER.test(name)) continue;
      if (!isNested && (await options.mayRead?.(name)) === false) continue;
      if (HIDDEN.test(name) || (!isNested && !READABLE.test(name))) {
        yield { other: name };
        continue;
      }
      budget.bytes -= entry.uncompressedSize;
      if (entry.uncompressedSize > MOST || budget.bytes < 0 || (isNested && depth === DEPTH)) {
        yield tooLarge(name);
        continue;
      }
      try {
        const bytes = await bytesOf(archive, entry);
        if (!isNested) yield toFile(name, bytes, budget, options);
        else if (isZip(bytes)) {
          const nested = await promisify<Buffer, yauzl.Options, ZipFile>(yauzl.fromBuffer)(bytes, OPTIONS);
          yield* readArchive(nested, { folder: `${name}/`, depth: depth + 1, budget }, options);
        }
      } catch (error) {
        options.signal?.throwIfAborted();
        yield { skipped: name, reason: `It cannot be read: ${(error as Error).message}.` };
      }
    }
  } finally {
    archive.close();
  }
}

/** The entries, one after another, so that the archive is not read ahead. */
async function* entriesOf(archive: ZipFile): AsyncGenerator<Entry> {
  for (;;) {
    const entry = await new Promise<Entry | null>((resolve, reject) => {
      const settle = (value: Entry | null) => {
        archive.removeAllListeners();
        resolve(value);
      };
      archive.once('entry', settle);
      archive.once('end', () => settle(null));
      archive.once('error', reject);
      archive.readEntry();
    });
    if (entry === null) return;
    yield entry;
  }
}

async function bytesOf(archive: ZipFile, entry: Entry): Promise<Buffer> {
  const stream = await new Promise<NodeJS.ReadableStream>((resolve, reject) =>
    archive.openReadStream(entry, (error, opened) => (error ? reject(error) : resolve(opened))),
  );
  const bytes = await buffer(stream);
  if (crc32(bytes) !== entry.crc32) throw new Error('its checksum is another one');
  return bytes;
}

/** @param budget what is left of it for a file that is compressed itself */
function toFile(
  name: string,
  bytes: Uint8Array,
  budget: Budget,
  { decode, unfolded }: ReadFilesOptions,
): ImportFile | SkippedItem {
  try {
    const text = decode(isGzip(bytes) ? unfold(bytes, budget, unfolded) : bytes);
    return text === null ? { skipped: name, reason: 'It is no text.' } : importFile(name, text);
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
