import { verifyStorage } from '@recollect/core/testing';
import { openStorage } from '@recollect/storage';
import { describe, test } from 'vitest';
import { openFile } from './open-file.js';

describe('SQLite in memory', () => {
  verifyStorage(test, () => openStorage({ url: 'sqlite::memory:' }));
});

describe('SQLite in a file', () => {
  verifyStorage(test, () => openFile({ readers: 2 }));
});
