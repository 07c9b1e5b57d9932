// @ts-check
import { mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { isRunning } from './lock.mjs';

/** The folder in memory that Linux has. */
const MEMORY = '/dev/shm';
/** The number by which Linux knows a file system in memory. */
const TMPFS = 0x01021994;
/** Bytes that must be free there: many times what the tests had at a time, which was 96 MB. */
const NEEDED = 2 * 1024 ** 3;
/** Containers may share the folder; each has its own processes and name. */
const PREFIX = `recollect-tests-${hostname()}-`;

/**
 * Makes a folder for the temporary files of the tests, in memory where there is enough of it: the tests open thousands
 * of stores, whose writes a disk would have to confirm one by one. What tests prove of a disk, they prove by tracing
 * calls or by mounting another disk. Null where there is no such folder; they then use the system's.
 * @returns {{ path: string, remove: () => void } | null}
 */
export function openScratch() {
  try {
    const { type, bavail, bsize } = statfsSync(MEMORY);
    if (type !== TMPFS || bavail * bsize < NEEDED) return null;
    // A run that was killed left its files in memory.
    for (const name of readdirSync(MEMORY)) {
      if (name.startsWith(PREFIX) && !isRunning(Number(name.slice(PREFIX.length)))) tryToRemove(join(MEMORY, name));
    }
    const path = join(MEMORY, `${PREFIX}${process.pid}`);
    // Like the usual folder, it is open to all accounts, as some tests use another one. The folders in it are not.
    mkdirSync(path, { mode: 0o755 });
    return { path, remove: () => remove(path) };
  } catch {
    return null;
  }
}

/** @param {string} path */
function tryToRemove(path) {
  try {
    remove(path);
  } catch {
    // A test mounts a small disk, which stays mounted if its run is killed. The next restart removes it.
  }
}

/** @param {string} path */
const remove = (path) => rmSync(path, { recursive: true, force: true, maxRetries: 5 });
