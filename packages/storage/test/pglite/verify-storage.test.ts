import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { verifyStorage } from '@recollect/core/testing';
import { openStorage } from '@recollect/storage';
import { afterAll, describe, test } from 'vitest';
import { createPGliteDialect } from './dialect.js';

describe('PostgreSQL in this process', () => {
  const pglite = new PGlite({ extensions: { vector } });
  const dialect = createPGliteDialect(pglite);
  afterAll(() => pglite.close());
  verifyStorage(test, () => openStorage({ url: 'pglite:', dialect }));
});
