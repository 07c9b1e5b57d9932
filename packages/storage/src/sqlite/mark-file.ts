import { chownSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { parseMark, refuseMarked, type StoreMark, writeMark } from '../move/store-mark.js';
import { ownerFor } from './identify-store.js';

/** The file beside a store that a move has left. Nothing is written into a store that was moved. */
const markFileOf = (path: string) => `${path}-move`;

export function readMarkFile(path: string): StoreMark | null {
  try {
    return parseMark(readFileSync(markFileOf(path), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Writes the mark of a store; null removes it. */
export function writeMarkFile(path: string, mark: StoreMark | null): void {
  const file = markFileOf(path);
  if (mark === null) {
    rmSync(file, { force: true });
    return;
  }
  writeFileSync(file, writeMark(mark), { mode: 0o600, flush: true });
  const owner = ownerFor(path);
  if (owner !== null) chownSync(file, owner.uid, owner.gid);
}

/** Throws StoreRefusedError for a store that was moved, or is the unfinished target of a move. */
export function refuseMarkedFile(path: string): void {
  refuseMarked(readMarkFile(path), markFileOf(path));
}
