import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { StoreFacts } from '@recollect/core';
import { lacksBallast } from './ballast.js';
import { MEMORY } from './store-file.js';

/** The size of the file with its WAL, and the free space on its disk. */
export async function readFacts(path: string): Promise<StoreFacts> {
  if (path === MEMORY) return { location: null, bytes: 0, freeBytes: null, lacksReserve: false };
  const sizes = await Promise.all(
    ['', '-wal', '-shm'].map((ending) =>
      stat(path + ending).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  const disk = await statfs(dirname(path)).catch(() => null);
  return {
    location: path,
    bytes: sizes.reduce((sum, size) => sum + size, 0),
    freeBytes: disk === null ? null : disk.bavail * disk.bsize,
    lacksReserve: disk !== null && lacksBallast(path),
  };
}
