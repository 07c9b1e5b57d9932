import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStorage, type Storage, type StorageOptions } from '@recollect/storage';

/** A new store in a file, which is removed when it is closed. */
export async function openFile(options: Omit<StorageOptions, 'url'>): Promise<Storage> {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-'));
  const storage = await openStorage({ url: `sqlite:${join(folder, 'recollect.db')}`, ...options });
  return {
    ...storage,
    async close() {
      await storage.close();
      await rm(folder, { recursive: true });
    },
  };
}
