import { createReadStream } from 'node:fs';

/**
 * Whether the disk gives the bytes of a store's WAL. SQLite takes a failed read for damage. The database itself is not
 * read: closing a descriptor of it would release the locks of this process.
 */
export async function isLogReadable(path: string): Promise<boolean> {
  try {
    // From a position, as SQLite reads. Nothing is looked for in the bytes.
    for await (const _ of createReadStream(`${path}-wal`, { start: 0, highWaterMark: 2 ** 20 }));
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}
