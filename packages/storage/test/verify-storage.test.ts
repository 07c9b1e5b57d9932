import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifyStorage } from '@recollect/core/testing';
import { openStorage } from '@recollect/storage';
import { describe, test } from 'vitest';

describe('SQLite in memory', () => {
  verifyStorage(test, () => openStorage({ url: 'sqlite::memory:' }));
});

describe('SQLite in a file', () => {
  verifyStorage(test, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'recollect-'));
    const storage = await openStorage({ url: `sqlite:${join(folder, 'recollect.db')}` });
    return {
      ...storage,
      async close() {
        await storage.close();
        await rm(folder, { recursive: true });
      },
    };
  });
});
