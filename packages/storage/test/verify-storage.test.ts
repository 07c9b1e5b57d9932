import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { verifyStorage } from '@recollect/core/testing';
import { openStorage } from '@recollect/storage';
import { afterAll, describe, test } from 'vitest';
import { createPGliteDialect } from './pglite/dialect.js';

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

// The cases of search come with the complete dialect.
describe('PostgreSQL in this process', () => {
  const pglite = new PGlite();
  const dialect = createPGliteDialect(pglite);
  afterAll(() => pglite.close());
  verifyStorage(test, () => openStorage({ url: 'pglite:', dialect }), [
    'memories',
    'indexing',
    'changes',
    'keys',
    'plugins',
    'events',
  ]);
});
