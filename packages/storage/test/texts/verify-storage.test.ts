import { verifyStorage } from '@recollect/core/testing';
import type { Storage } from '@recollect/storage';
import { describe, test } from 'vitest';
import { openFile } from '../open-file.js';

/** A store whose searches wait until the texts are in memory. */
async function openWithTexts(): Promise<Storage> {
  const onNotice = (notice: string) => {
    throw new Error(notice);
  };
  const storage = await openFile({ readers: 1, textMemoryMb: 64, onNotice });
  const { hybridIndex, textIndex } = storage;
  return {
    ...storage,
    hybridIndex: {
      ...hybridIndex,
      async search(userId, query, options) {
        await textIndex.warmUp?.();
        return hybridIndex.search(userId, query, options);
      },
    },
    textIndex: {
      ...textIndex,
      async search(userId, query, options) {
        await textIndex.warmUp?.();
        return textIndex.search(userId, query, options);
      },
    },
  };
}

// Changes by the other cases also reach the texts: `in-memory.test.ts` compares them with FTS5.
describe('SQLite in a file, with texts in memory', () => verifyStorage(test, openWithTexts, ['search']));
