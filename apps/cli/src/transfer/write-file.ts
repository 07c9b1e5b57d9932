import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { addAbortSignal, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { RecollectError } from '@recollect/core';

/**
 * Writes a file that is either complete or not there: into a temporary file beside it, which is synced and then
 * renamed. It is compressed if its name ends in `.gz`. Only its owner may read it. Returns its size.
 */
export async function writeFileAtomically(
  path: string,
  lines: AsyncIterable<string>,
  signal: AbortSignal,
): Promise<number> {
  // Process ids recur in containers, so one that was killed may have left a file with this one's id.
  const temporary = `${path}.${randomUUID().slice(0, 13)}.partial`;
  const handle = await open(temporary, 'wx', 0o600).catch((error) => Promise.reject(explainFileError(error, path)));
  try {
    const file = handle.createWriteStream({ flush: true });
    const source = Readable.from(lines, { objectMode: false, highWaterMark: 256 * 1024 });
    if (path.endsWith('.gz')) await pipeline(source, createGzip(), file, { signal });
    else await pipeline(source, file, { signal });
    const { size } = await stat(temporary);
    await rename(temporary, path);
    await syncFolder(dirname(path));
    return size;
  } catch (error) {
    await rm(temporary, { force: true });
    throw explainFileError(error, path);
  }
}

/** Makes a rename in a folder durable. Not every system can do this, and none loses the file without it. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => null);
  await folder?.sync().catch(() => {});
  await folder?.close();
}

/**
 * The path to write to. A folder that exists gets a new entry named after the day; any other path must not exist.
 * Throws VALIDATION_FAILED.
 */
export async function chooseTarget(out: string, format: 'jsonl' | 'markdown', now = new Date()): Promise<string> {
  const isFolder = await stat(out).then(
    (facts) => facts.isDirectory(),
    () => /[\\/]$/.test(out),
  );
  const day = now.toISOString().slice(0, 10);
  const name = format === 'jsonl' ? `recollect-${day}.jsonl` : `recollect-${day}`;
  const target = resolve(isFolder ? join(out, name) : out);
  if (!(await exists(target))) return target;
  throw new RecollectError(
    'VALIDATION_FAILED',
    `${target} exists already. Choose another name, or move it away first.`,
  );
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

const SENTENCES: Readonly<Record<string, (path: string) => string>> = {
  ENOSPC: (path) => `There is not enough space for ${path}. Free some space, or choose another disk.`,
  EDQUOT: (path) => `Your quota does not allow ${path}. Free some space, or choose another disk.`,
  EACCES: (path) => `${path} cannot be used: permission denied.`,
  EPERM: (path) => `${path} cannot be used: permission denied.`,
  EIO: (path) => `${path} cannot be read or written: the disk reports an error.`,
  EROFS: (path) => `${path} is on a disk that is read-only.`,
  ENOENT: (path) => `${path} does not exist.`,
  ENOTDIR: (path) => `A part of ${path} is not a folder.`,
  ENXIO: (path) => `${path} is not a file.`,
  EISDIR: (path) => `${path} is a folder. Pass a file.`,
  EEXIST: (path) => `${path} exists already. Choose another name, or move it away first.`,
  ENAMETOOLONG: (path) => `${path} is too long for a name.`,
};

/** An error of the system about a file, as a sentence for the user. Any other error is returned unchanged. */
export function explainFileError(error: unknown, path: string): unknown {
  const { code = '', syscall } = (error ?? {}) as NodeJS.ErrnoException;
  const sentence = syscall === undefined ? undefined : SENTENCES[code]?.(path);
  return sentence === undefined ? error : new RecollectError('VALIDATION_FAILED', sentence, { cause: error });
}

/**
 * Reads a pipe, or standard input for `-`, as a stream. The signal ends the reading, also while it waits for input,
 * with the signal's reason. Throws the errors of the system as sentences.
 */
export async function* openStream(source: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const stream = source === '-' ? process.stdin : createReadStream(source, { highWaterMark: 256 * 1024 });
  try {
    addAbortSignal(signal, stream);
    yield* stream as AsyncIterable<Uint8Array>;
  } catch (error) {
    signal.throwIfAborted();
    throw explainFileError(error, source);
  }
}
