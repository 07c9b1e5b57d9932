import { createWriteStream } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { RecollectError } from '@recollect/core';

/** Followed by the id of the process that made the folder. */
const PREFIX = 'recollect-import-';

/** Removes the files of processes that have ended without doing so, after a power cut or SIGKILL. Never throws. */
export async function removeAbandonedSpools(): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => []);
  const abandoned = names.filter((name) => {
    const pid = /^recollect-import-(\d+)-/.exec(name)?.[1];
    return pid !== undefined && !isRunning(Number(pid));
  });
  // Folders of other accounts stay, because this account may not remove them.
  for (const name of abandoned) await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => {});
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** A body that was written to a temporary file. */
export interface SpooledFile {
  path: string;
  remove(): Promise<void>;
}

/**
 * Writes the parts of a body to a temporary file that only this account can read: archives are read from their end.
 * Throws PAYLOAD_TOO_LARGE if there are more bytes than `most`, what the parts throw, and STORE_FULL if the disk of
 * temporary files is full. Nothing is then left behind.
 */
export async function spoolFile(parts: AsyncIterable<Uint8Array>, most: number): Promise<SpooledFile> {
  const folder = await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`));
  const remove = () => rm(folder, { recursive: true, force: true });
  const path = join(folder, 'file');
  try {
    await pipeline(within(parts, most), createWriteStream(path, { mode: 0o600 }));
  } catch (error) {
    await remove();
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    const sentence = `The disk of ${tmpdir()} is too full for the file. Free some space, and send it again.`;
    throw new RecollectError('STORE_FULL', sentence, { cause: error });
  }
  return { path, remove };
}

async function* within(parts: AsyncIterable<Uint8Array>, most: number): AsyncGenerator<Uint8Array> {
  let left = most;
  for await (const part of parts) {
    left -= part.length;
    if (left < 0) throw new RecollectError('PAYLOAD_TOO_LARGE', `The file has more than ${most / 1024 ** 3} GB.`);
    yield part;
  }
}
