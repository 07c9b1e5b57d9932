import { verifyStorage } from '@recollect/core/testing';
import type { Storage } from '@recollect/storage';
import { describe, test } from 'vitest';
import { openFile } from '../open-file.js';

/** A store whose searches wait until the vectors are in memory, and fail where these are not used. */
async function openWithVectors(): Promise<Storage> {
  const onNotice = (notice: string) => {
    throw new Error(notice);
  };
  const storage = await openFile({ readers: 1, vectorMemoryMb: 64, onNotice });
  const { hybridIndex, vectorIndex } = storage;
  return {
    ...storage,
    hybridIndex: {
      ...hybridIndex,
      async search(userId, query, options) {
        if (query.embedded !== null) await storage.vectorIndex.warmUp?.(query.embedded.modelId);
        return hybridIndex.search(userId, query, options);
      },
    },
    vectorIndex: {
      ...vectorIndex,
      async search(userId, modelId, vector, options) {
        await storage.vectorIndex.warmUp?.(modelId);
        return vectorIndex.search(userId, modelId, vector, options);
      },
    },
  };
}

// Changes by the other cases also reach the vectors: `in-memory.test.ts` compares them with SQL.
describe('SQLite in a file, with vectors in memory', () =>
  verifyStorage(test, openWithVectors, ['search', 'indexing']));

describe('SQLite in a file, with vectors in memory', { tags: 'long' }, () =>
  verifyStorage(test, openWithVectors, ['changes']),
);
