import { existsSync, statfsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { openScratch } from '../src/scratch.mjs';

const hasMemory = () => {
  try {
    const { type, bavail, bsize } = statfsSync('/dev/shm');
    return type === 0x01021994 && bavail * bsize > 3 * 1024 ** 3;
  } catch {
    return false;
  }
};

test.skipIf(!hasMemory())(
  'a folder for the tests (requires 3 GB in /dev/shm) replaces the folders of killed runs',
  async () => {
    // No process has this number: Linux gives numbers of at most 2²².
    const left = `/dev/shm/recollect-tests-${hostname()}-99999999`;
    await mkdir(left);
    try {
      const scratch = openScratch();
      expect([existsSync(left), existsSync(scratch?.path ?? '')]).toEqual([false, true]);
      scratch?.remove();
      expect(existsSync(scratch?.path ?? '')).toBe(false);
    } finally {
      await rm(left, { recursive: true, force: true });
    }
  },
);
