import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Comparison } from './compare-files.js';
import { runFileWork } from './run-file-work.js';

/**
 * Compares the memories of two stores by their ids. Reads a copy of the store, since SQLite may write to a file that it
 * opens. Null if the store cannot be read.
 *
 * @param backup a store's file without a WAL, which nothing else uses
 * @param copyTo writes a copy of the store to a path
 * @param folder where the copy is made, and removed again
 */
export async function compareStores(
  backup: string,
  copyTo: (path: string) => Promise<unknown>,
  folder: string,
  signal?: AbortSignal,
): Promise<Comparison | null> {
  const copies = join(folder, 'compared');
  const copy = join(copies, 'store.db');
  try {
    await mkdir(copies, { mode: 0o700 });
    await copyTo(copy);
    const result = await runFileWork({ kind: 'compare', target: copy, backup }, signal);
    if (result.outcome !== 'done') return null;
    const { outcome: _, ...comparison } = result;
    return comparison;
  } catch {
    return null;
  } finally {
    await rm(copies, { recursive: true, force: true });
  }
}
