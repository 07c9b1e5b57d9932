import { closeSync, ftruncateSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { isObject, readJson } from '@recollect/core/threads';
import type { TextImage } from '@recollect/in-memory-index';

/** Where the image of the text index is kept beside a store. It can be made again, so no backup has it. */
export function textFileOf(path: string): string {
  return `${path}-texts`;
}

/** What an image is an image of. */
export interface TextFileHeader {
  /** The number of the newest change that it contains. */
  sequence: number;
  /** Identifies the texts and the code that made it ({@link markOf}). */
  mark: string;
  bytes: number;
  /** CRC-32 of all bytes behind the header. */
  checksum: number;
}

/** How far the writing or reading of an image has come. */
export interface TextFileProgress {
  from: number;
  checksum: number;
}

/** The header is JSON, padded with spaces. */
const HEADER_BYTES = 512;
/** Bytes that one step writes or reads: the thread is free again after about 20 ms. */
const STEP_BYTES = 8 * 2 ** 20;

/** The name under which a file is written, until it is whole. */
function unfinishedOf(file: string): string {
  return `${file}.partial`;
}

/** Writes the next part of an image. Returns how far it has come. */
export function writePart(file: string, image: TextImage, { from, checksum }: TextFileProgress): TextFileProgress {
  const part = new Uint8Array(Math.min(STEP_BYTES, image.bytes() - from));
  image.read(from, part);
  const descriptor = openSync(unfinishedOf(file), from === 0 ? 'w' : 'r+', 0o600);
  try {
    writeFully(descriptor, part, HEADER_BYTES + from);
  } finally {
    closeSync(descriptor);
  }
  return { from: from + part.length, checksum: crc32(part, checksum) };
}

/** Writes the header of an image whose parts are written, and gives the file its name. */
export function finishFile(file: string, header: TextFileHeader): void {
  const descriptor = openSync(unfinishedOf(file), 'r+');
  try {
    writeFully(descriptor, Buffer.from(JSON.stringify(header).padEnd(HEADER_BYTES)), 0);
    ftruncateSync(descriptor, HEADER_BYTES + header.bytes);
  } finally {
    closeSync(descriptor);
  }
  renameSync(unfinishedOf(file), file);
}

/** Removes the file and what was written of another one. */
export function removeFile(file: string): void {
  for (const name of [file, unfinishedOf(file)]) rmSync(name, { force: true });
}

/** The header of a file; null without a file, and for another kind of file. */
export function readHeader(file: string): TextFileHeader | null {
  const bytes = readAt(file, 0, HEADER_BYTES);
  return bytes === null ? null : readJson(bytes.toString('utf8'), isHeader, null);
}

/** Reads the next part of a file into an image. Null where the file ends too early. */
export function readPart(
  file: string,
  image: TextImage,
  { bytes }: TextFileHeader,
  { from, checksum }: TextFileProgress,
): TextFileProgress | null {
  const part = readAt(file, HEADER_BYTES + from, Math.min(STEP_BYTES, bytes - from));
  if (part === null) return null;
  image.write(from, part);
  return { from: from + part.length, checksum: crc32(part, checksum) };
}

function isHeader(value: unknown): value is TextFileHeader {
  if (!isObject(value)) return false;
  const { sequence, mark, bytes, checksum } = value;
  return [sequence, bytes, checksum].every(Number.isSafeInteger) && typeof mark === 'string' && Number(bytes) > 0;
}

function readAt(file: string, from: number, length: number): Buffer | null {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch {
    return null;
  }
  try {
    const bytes = Buffer.alloc(length);
    let read = 0;
    while (read < length) {
      const count = readSync(descriptor, bytes, read, length - read, from + read);
      if (count === 0) return null;
      read += count;
    }
    return bytes;
  } finally {
    closeSync(descriptor);
  }
}

function writeFully(descriptor: number, bytes: Uint8Array, from: number): void {
  for (let written = 0; written < bytes.length; )
    written += writeSync(descriptor, bytes, written, bytes.length - written, from + written);
}
