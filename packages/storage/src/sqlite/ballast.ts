import { randomBytes } from 'node:crypto';
import { statfsSync, statSync } from 'node:fs';
import { open, rename, rm, truncate } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Reserve } from '../dialect.js';
import { fullDisk } from './explain-fault.js';
import type { StoreWatch } from './store-watch.js';

const MEGABYTE = 1024 * 1024;
/** Size of the file in bytes. As soon as it is released, deletions have as much space. */
const SIZE = 8 * MEGABYTE;
/** Free space that the disk must have for the file to be made: it must not itself fill the disk. */
const MIN_FREE_BYTES = 64 * MEGABYTE;
/** Milliseconds until the file is made after the start, and between two looks. Commands end before the first. */
const CHECK_MS = { first: 3_000, next: 10_000 };

/** A reserve that is kept by a file. */
export interface Ballast extends Reserve {
  /** Ends the regular looks. */
  stop(): Promise<void>;
}

/**
 * Keeps a file beside the store whose space is given back when the disk is full: SQLite writes to delete, so a full
 * disk would not let anyone make room. Its length says whether it has been released, so that all processes and later
 * starts know. It is made again once there is plenty of space.
 */
export function keepBallast(path: string, { isInPlace }: Pick<StoreWatch, 'isInPlace'>): Ballast {
  const file = `${path}-ballast`;
  let making: Promise<void> = Promise.resolve();

  const look = () => {
    making = make().catch(() => {});
    timer = setTimeout(look, CHECK_MS.next).unref();
  };
  const make = async () => {
    // Without the store there is nothing to keep space for, and its folder may be another one now.
    if (sizeOf(file) === SIZE || !isInPlace() || freeBytes(path) < MIN_FREE_BYTES) return;
    const unfinished = `${file}-unfinished`;
    try {
      await allocate(unfinished);
      await rename(unfinished, file);
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
  };
  let timer = setTimeout(look, CHECK_MS.first).unref();

  return {
    demand() {
      if (sizeOf(file) === 0 && freeBytes(path) < SIZE) throw fullDisk(path);
    },
    async release() {
      if (sizeOf(file) !== SIZE) return false;
      await truncate(file);
      return true;
    },
    async stop() {
      clearTimeout(timer);
      await making;
      clearTimeout(timer);
    },
  };
}

/** Whether a store has no such file, and its disk too little room to make it. */
export function lacksBallast(path: string): boolean {
  return sizeOf(`${path}-ballast`) !== SIZE && freeBytes(path) < MIN_FREE_BYTES;
}

/** Writes random bytes: a file system may keep a file of zeros without using space for it. */
async function allocate(file: string): Promise<void> {
  const handle = await open(file, 'w', 0o600);
  try {
    for (let written = 0; written < SIZE; written += MEGABYTE) await handle.writeFile(randomBytes(MEGABYTE));
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Null if there is no file. */
function sizeOf(file: string): number | null {
  return statSync(file, { throwIfNoEntry: false })?.size ?? null;
}

function freeBytes(path: string): number {
  const { bavail, bsize } = statfsSync(dirname(path));
  return bavail * bsize;
}
