import { statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * The account that gets the files that root creates beside a store: the owner of the store, or of its folder. Null for
 * other accounts, which cannot give files away.
 */
export function ownerFor(path: string): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const { uid, gid } = statSync(path, { throwIfNoEntry: false }) ?? statSync(dirname(path));
  return { uid, gid };
}
