import { randomUUID } from 'node:crypto';
import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { explainFileError } from './explain-file-error.js';

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
