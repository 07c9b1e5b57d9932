import { verifyStorage } from '@recollect/core/testing';
import { describe, test } from 'vitest';
import { openFile } from '../open-file.js';

describe('SQLite in a file, with vectors in memory', () => {
  verifyStorage(test, async () => {
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
          if (query.embedded !== null) await storage.warmUp(query.embedded.modelId);
          return hybridIndex.search(userId, query, options);
        },
      },
      vectorIndex: {
        ...vectorIndex,
        async search(userId, modelId, vector, options) {
          await storage.warmUp(modelId);
          return vectorIndex.search(userId, modelId, vector, options);
        },
      },
    };
  });
});
