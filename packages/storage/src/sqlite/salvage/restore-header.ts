import { open } from 'node:fs/promises';

/** The page size of every store (pragmas.ts). */
const PAGE_SIZE = 8192;

/**
 * Writes the fields of the header of a copied store anew, which are the same in every store
 * (sqlite.org/fileformat2.html): the magic string, the page size, the format versions and the text encoding. The number
 * of pages follows from the length then.
 */
export async function restoreHeader(path: string, { hasWal }: { hasWal: boolean }): Promise<void> {
  const file = await open(path, 'r+');
  try {
    const start = Buffer.alloc(24);
    start.write('SQLite format 3\0', 'latin1');
    start.writeUInt16BE(PAGE_SIZE, 16);
    const version = hasWal ? 2 : 1;
    // Its journal, no reserved space, and the three fixed payload fractions.
    start.set([version, version, 0, 64, 32, 32], 18);
    await file.write(start, 0, start.length, 0);
    const four = Buffer.alloc(4);
    for (const [offset, value] of [
      [28, 0],
      [44, 4],
      [56, 1],
    ] as const) {
      four.writeUInt32BE(value);
      await file.write(four, 0, four.length, offset);
    }
  } finally {
    await file.close();
  }
}
