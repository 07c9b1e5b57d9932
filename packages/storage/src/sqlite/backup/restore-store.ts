import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { RecollectError } from '@recollect/core';
import { migrations } from '../migrations/index.js';
import { followLinks, pathOf } from '../store-file.js';
import { lockFileOf, seizeStore } from '../store-lock.js';
import { ownerFor } from '../store-owner.js';
import { type Comparison, compareStores } from './compare-stores.js';
import { checkSpace } from './copy-store.js';
import { type Inspection, inspectFile } from './inspect-file.js';
import { finishReplacement, replaceStore } from './replacement.js';
import { createStaging, removeStaging } from './staging.js';

/** A store that is to be restored, locked against other processes. */
export interface StoreReplacement {
  /** Whether there is a store, good or damaged. */
  exists: boolean;
  /**
   * Checks a candidate: `write` must write it to the given path, which is beside the store. A good one is ready for `commit`.
   *
   * @param bytes how much space the candidate needs
   */
  stage(bytes: number, write: (path: string) => Promise<void>, signal?: AbortSignal): Promise<Inspection>;
  /** How the last good candidate differs from the store. Null if there is no store that can be read. */
  compare(): Promise<Comparison | null>;
  /** Puts the last good candidate in the store's place. Returns the folder with what was there; null if there was nothing. */
  commit(now: Date): Promise<string | null>;
  /** Removes what is left of the candidates, and releases the lock. */
  close(): Promise<void>;
}

/**
 * Prepares the replacement of a store. It does not open the store, so this also works if it is damaged or missing. Throws
 * STORE_BUSY while any process has it open. The caller must close it.
 */
export async function openReplacement(url: string): Promise<StoreReplacement> {
  const path = await followLinks(pathOf(url));
  const folder = dirname(path);
  const hadFolder = existsSync(folder);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const lock = seizeStore(path);
  if (lock === null) {
    throw new RecollectError(
      'STORE_BUSY',
      'The store is in use. Stop the Recollect server, and every assistant that uses Recollect, then try again. Nothing was changed.',
    );
  }
  let staging: string;
  try {
    await finishReplacement(path);
    await removeStaging(path);
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
      const inspection = await inspectFile(file, { known: Object.keys(migrations), signal });
      if (!inspection.isGood) {
        await rm(file);
        return inspection;
      }
      const owner = ownerFor(path);
      if (owner !== null) await chown(file, owner.uid, owner.gid);
      candidate = file;
      return inspection;
    },
    async compare() {
      if (candidate === null) throw new Error('No candidate has passed its check.');
      return existsSync(path) ? compareStores(candidate, path, staging) : null;
    },
    async commit(now) {
      if (candidate === null) throw new Error('No candidate has passed its check.');
      return replaceStore(path, candidate, now);
    },
    async close() {
      await rm(staging, { recursive: true, force: true });
      // While the lock is held, no store is made here. A folder that is not empty is kept.
      if (!hadFolder && !existsSync(path)) {
        for (const ending of ['', '-journal']) await rm(lockFileOf(path) + ending, { force: true }).catch(() => {});
        await rmdir(folder).catch(() => {});
      }
      lock.release();
    },
  };
}
