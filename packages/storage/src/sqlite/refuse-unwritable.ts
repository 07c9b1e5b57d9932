import { accessSync, constants, statSync } from 'node:fs';
import { StoreRefusedError } from '../store-refused-error.js';
import { lockFileOf } from './store-lock.js';

const { R_OK, W_OK } = constants;

/**
 * Throws {@link StoreRefusedError} if this account may not write to a file of the store. SQLite would open it for
 * reading only, and every change would fail.
 */
export function refuseUnwritable(path: string): void {
  for (const file of [path, `${path}-wal`, `${path}-shm`]) refuseWithout(file, R_OK | W_OK);
  refuseWithout(lockFileOf(path), R_OK);
}

function refuseWithout(file: string, access: number): void {
  try {
    accessSync(file, access);
  } catch (error) {
    // A missing file is created later, where problems of its folder are explained.
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') return;
    const owner = ownerOf(file);
    if (owner === null) return;
    throw new StoreRefusedError(owner === process.getuid?.() ? 'read-only' : 'not-owned', { cause: error, file });
  }
}

/** Null if the folder does not show the file. */
function ownerOf(file: string): number | null {
  try {
    return statSync(file).uid;
  } catch {
    return null;
  }
}
