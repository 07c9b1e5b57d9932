import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Capture } from '@recollect/contract';
import { readTextFile } from '@recollect/core';
import { readYaml } from '../sources/read-yaml.js';

/** The state of a file that is kept in step. */
export interface WatchedFile {
  /** Its memory. */
  id: string;
  /** SHA-256 of its bytes, in hexadecimal. */
  hash: string;
  size: number;
  /** When it was changed last, in milliseconds. */
  changedAt: number;
  /** The values that the memory got from the file. The user's changes differ from them. */
  title: string;
  tags: readonly string[];
}

/** The files of a folder by their paths in it, with `/` between folders. */
export interface WatchedFiles {
  files: Record<string, WatchedFile>;
  /**
   * Files that are gone, and whose memories are in the trash: one that appears under another name gets its memory back.
   */
  gone: Record<string, WatchedFile>;
}

/** Files that are gone are remembered so many at a time. */
const REMEMBERED = 1_000;

const pathOf = (dataFolder: string, folder: string) =>
  join(dataFolder, 'watched', `${createHash('sha256').update(folder).digest('hex').slice(0, 16)}.json`);

/** Reads the state of a folder, empty at first. A damaged state starts again, since known texts are recognised. */
export async function readWatchedFiles(dataFolder: string, folder: string): Promise<WatchedFiles> {
  const text = await readFile(pathOf(dataFolder, folder), 'utf8').catch(() => null);
  try {
    const { files = {}, gone = {} } = JSON.parse(text ?? '{}') as Partial<WatchedFiles>;
    return { files, gone };
  } catch {
    return { files: {}, gone: {} };
  }
}

/** Writes what is known of a folder's files in one step, so that a crash leaves the former or the new state. */
export async function writeWatchedFiles(
  dataFolder: string,
  folder: string,
  { files, gone }: WatchedFiles,
): Promise<void> {
  const path = pathOf(dataFolder, folder);
  await mkdir(join(dataFolder, 'watched'), { recursive: true, mode: 0o700 });
  const partial = `${path}.${process.pid}`;
  const kept = Object.fromEntries(Object.entries(gone).slice(-REMEMBERED));
  await writeFile(partial, JSON.stringify({ folder, files, gone: kept }), { mode: 0o600 });
  await rename(partial, path);
}

/** The largest file that is kept in step, in bytes: no request has room for more. */
const MAX_FILE_BYTES = 12_000_000;

/** The present state of a file. */
export interface FileNow {
  hash: string;
  size: number;
  changedAt: number;
}

/** The values that a memory gets from a file. */
export interface FileContent {
  /** The capture of a new memory, without its file name. */
  capture: Capture;
  text: string;
  title: string | null;
  tags: readonly string[];
}

/** Reads the text of a PDF. */
export type ReadPdf = (bytes: Uint8Array) => Promise<{ text: string; title: string | null }>;

/**
 * The bytes of a file with what tells it from another state; null if it is gone, or not a file, and `same` if it was
 * not touched since. Throws a sentence for one that is too large.
 */
export async function readState(
  path: string,
  lastState: Pick<FileNow, 'size' | 'changedAt'> | undefined,
): Promise<(FileNow & { bytes: Uint8Array }) | null | 'same'> {
  const facts = await stat(path).catch(() => null);
  if (!facts?.isFile()) return null;
  if (facts.size === lastState?.size && facts.mtimeMs === lastState.changedAt) return 'same';
  if (facts.size > MAX_FILE_BYTES) throw new Error(`It is larger than ${MAX_FILE_BYTES / 1_000_000} MB.`);
  const bytes = await readFile(path).catch(() => null);
  if (bytes === null) return null;
  const hash = createHash('sha256').update(bytes).digest('hex');
  return { bytes, hash, size: facts.size, changedAt: facts.mtimeMs };
}

/** Reads the text of a file; null if it has none. Throws a sentence for a file that cannot be read. */
export async function readContent(
  bytes: Uint8Array,
  name: string,
  changedAt: number,
  readPdf: ReadPdf,
): Promise<FileContent | null> {
  const { documentKind, readDocumentFile } = await import('@recollect/importers/read-document-file');
  const at = new Date(changedAt).toISOString();
  const kind = documentKind(name, bytes);
  if (kind === 'pdf') {
    const { text, title } = await readPdf(bytes);
    return ofDocument({ pageText: text, title }, at);
  }
  if (kind !== null) return ofDocument((await readDocumentFile(bytes, name)) ?? {}, at);
  const { decodeText } = await import('@recollect/importers/decode-text');
  const raw = decodeText(bytes);
  if (raw === null) throw new Error('It is not a text.');
  if (raw.trim() === '') return null;
  const { inlineTags, dateOfName } = await import('@recollect/importers');
  const facts = await readTextFile(raw, name, async (yaml) => readYaml(yaml));
  const tags = [...new Set([...facts.tags, ...(/\.(?:md|markdown|mdown|mkd)$/i.test(name) ? inlineTags(raw) : [])])];
  const capturedAt = dateOfName(name) ?? facts.dates.find((date) => date <= new Date().toISOString()) ?? at;
  return {
    capture: { pageText: raw.replace(/^\uFEFF/, ''), tags, capturedAt },
    text: facts.text,
    title: facts.title,
    tags,
  };
}

function ofDocument(document: Capture, at: string): FileContent | null {
  const text = document.pageText ?? '';
  if (text.trim() === '') return null;
  const capture = { ...document, capturedAt: document.capturedAt ?? at };
  return { capture, text, title: document.title ?? null, tags: [] };
}
