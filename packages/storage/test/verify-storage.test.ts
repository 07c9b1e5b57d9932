import { verifyStorage } from '@recollect/core/testing';
import { describe, test } from 'vitest';
import { openFile } from './open-file.js';

// With threads, which take ten times as long to start as a case takes: vectors/verify-storage.test.ts, and the long suite.
describe('SQLite in a file, without threads', () => {
  verifyStorage(test, () => openFile({ readers: 0 }));
});
