import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';

const STEP = 1024 * 1024;

/**
 * The SHA-256 of a file that no connection of this process has open, and its length. Calls `rest` after each megabyte.
 */
export function hashFile(path: string, rest: () => void): { sha256: string; bytes: number } {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(STEP);
  const file = openSync(path, 'r');
  let bytes = 0;
  try {
    for (;;) {
      const read = readSync(file, buffer, 0, STEP, null);
      if (read === 0) return { sha256: hash.digest('hex'), bytes };
      hash.update(buffer.subarray(0, read));
      bytes += read;
      rest();
    }
  } finally {
    closeSync(file);
  }
}
