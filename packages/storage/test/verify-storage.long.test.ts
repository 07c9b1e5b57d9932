import { PGlite } from '@electric-sql/pglite';
import { verifyStorage } from '@recollect/core/testing';
import { openStorage } from '@recollect/storage';
import { afterAll, describe, test } from 'vitest';
import { openFile } from './open-file.js';
import { createPGliteDialect } from './pglite/dialect.js';

describe('SQLite in memory', () => {
  verifyStorage(test, () => openStorage({ url: 'sqlite::memory:' }));
});

describe('SQLite in a file', () => {
  verifyStorage(test, () => openFile({ readers: 2 }));
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
