import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import type { BackupFailure } from '@recollect/contract';

/**
 * Remembers the last failure in a file, so that every process can show it. If the file cannot be written, as on a full
 * disk, this process still knows.
 */
export function createFailureFile(path: string) {
  let known: BackupFailure | null | undefined;
  return {
    async read(): Promise<BackupFailure | null> {
      if (known !== undefined) return known;
      try {
        const { at, since = at, message, attempts } = JSON.parse(await readFile(path, 'utf8')) as BackupFailure;
        const count = Math.max(1, Math.trunc(Number(attempts)) || 1);
        return { at: String(at), since: String(since), message: String(message), attempts: count };
      } catch {
        return null;
      }
    },
    async write(failure: BackupFailure | null): Promise<void> {
      known = failure;
      try {
        if (failure === null) return await rm(path, { force: true });
        const partial = `${path}.${process.pid}.partial`;
        await writeFile(partial, JSON.stringify(failure), { mode: 0o600 });
        await rename(partial, path);
        known = undefined;
      } catch {
        // `known` is shown until this process ends.
      }
    },
  };
}
