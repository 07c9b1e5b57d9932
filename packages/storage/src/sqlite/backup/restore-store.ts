import { constants, existsSync } from 'node:fs';
import { chmod, chown, copyFile, mkdir, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { RecollectError } from '@recollect/core';
import { ownerFor } from '../identify-store.js';
import { migrations } from '../migrations/index.js';
import { followLinks, pathOf } from '../store-file.js';
import { holdStore, lockFileOf, seizeStore } from '../store-lock.js';
import type { Comparison } from './compare-files.js';
import { compareStores } from './compare-stores.js';
import { checkSpace, createCopyStore } from './copy-store.js';
import { type Inspection, inspectFile } from './inspect-file.js';
import { finishReplacement, replaceStore } from './replacement.js';
import { createStaging, removeStaging } from './staging.js';

/** A store that is to be restored, locked against other processes. */
export interface StoreReplacement {
  /** Whether there is a store, good or damaged. */
  exists: boolean;
  /**
   * Checks a candidate: `write` must write it to the given path, which is beside the store. A good one is ready for
   * `commit`.
   *
   * @param bytes how much space the candidate needs
   */
  stage(bytes: number, write: (path: string) => Promise<void>, signal?: AbortSignal): Promise<Inspection>;
  /** How the last good candidate differs from the store. Null if there is no store that can be read. */
  compare(signal?: AbortSignal): Promise<Comparison | null>;
  /**
   * Replaces the store with the last good candidate. Returns the folder with the former files; null if there were none.
   * Not for a restore that only compares.
   */
  commit(now: Date): Promise<string | null>;
  /** Removes the remaining candidates, and releases the lock. */
  close(): Promise<void>;
}

/**
 * Prepares the replacement of a store. It does not open the store, so this also works if it is damaged or missing.
 * Throws STORE_BUSY while any process has it open; if it `onlyCompares`, only while the store is being restored. The
 * caller must close it.
 */
export async function openReplacement(
  url: string,
  { onlyCompares = false }: { onlyCompares?: boolean } = {},
): Promise<StoreReplacement> {
  const path = await followLinks(pathOf(url));
  const folder = dirname(path);
  const hadFolder = existsSync(folder);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const seized = seizeStore(path);
  const lock = seized ?? (onlyCompares ? holdStore(path) : null);
  if (lock === null) {
    throw new RecollectError(
      'STORE_BUSY',
      'The store is in use. Stop the Recollect server, and every assistant that uses Recollect, then try again. Nothing was changed.',
    );
  }
  let staging: string;
  try {
    if (seized !== null) {
      await finishReplacement(path);
      await removeStaging(path);
    }
    staging = await createStaging(path);
  } catch (error) {
    lock.release();
    throw error;
  }
  let candidate: string | null = null;
  let count = 0;
  return {
    exists: existsSync(path),
    async stage(bytes, write, signal) {
      await checkSpace(folder, bytes);
      const file = join(staging, `candidate-${count++}.db`);
      await write(file);
      await chmod(file, 0o600);
      const inspection = await inspectFile(file, { knownMigrations: Object.keys(migrations), signal });
      if (!inspection.isGood) {
        await rm(file);
        return inspection;
      }
      const owner = ownerFor(path);
      if (owner !== null) await chown(file, owner.uid, owner.gid);
      candidate = file;
      return inspection;
    },
    async compare(signal) {
      if (candidate === null) throw new Error('No candidate has passed its check.');
      if (!existsSync(path)) return null;
      // No other process writes to a seized store, so its files can be copied without a check.
      const copyInUse = createCopyStore(path);
      const copy = (to: string) => (seized === null ? copyInUse(to, { signal }) : copyFiles(path, to));
      return compareStores(candidate, copy, staging, signal);
    },
    async commit(now) {
      if (candidate === null) throw new Error('No candidate has passed its check.');
      if (onlyCompares) throw new Error('It was opened to compare.');
      return replaceStore(path, candidate, now);
    },
    async close() {
      await rm(staging, { recursive: true, force: true });
      // The lock prevents that a store is created here. A folder that is not empty is kept.
      if (!hadFolder && !existsSync(path)) {
        for (const ending of ['', '-journal']) await rm(lockFileOf(path) + ending, { force: true }).catch(() => {});
        await rmdir(folder).catch(() => {});
      }
      lock.release();
    },
  };
}

/** Copies a store with its WAL. */
async function copyFiles(store: string, target: string): Promise<void> {
  await copyFile(store, target, constants.COPYFILE_FICLONE);
  if (existsSync(`${store}-wal`)) await copyFile(`${store}-wal`, `${target}-wal`, constants.COPYFILE_FICLONE);
}
