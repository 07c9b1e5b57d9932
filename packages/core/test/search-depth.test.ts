import { expect, test } from 'vitest';
import type { CorePorts } from '../src/ports/core-ports.js';
import { findNeighbours } from '../src/retrieval/find-related.js';
import { parseQuery } from '../src/retrieval/parse-query.js';
import { FIRST_DEPTH, searchHits } from '../src/retrieval/stages/candidates.js';

/** So many hits in one memory, which hides all others. */
const fill = (limit: number) =>
  Array.from({ length: limit }, (_, at) => ({ memoryId: 'long', chunkId: `${at}`, similarity: 1, score: 1 }));

test('QRY-1: a search goes no deeper than 20,000 chunks of each kind', async () => {
  const depths: number[] = [];
  const hybridIndex = {
    search: async (_user: string, _query: unknown, { limit }: { limit: number }) => {
      depths.push(limit);
      return { hits: [], memoryCount: 1, hasMore: true, withinWords: [], isHybrid: false };
    },
  };
  await searchHits({ hybridIndex, embeddingModel: null } as never, 'ann', parseQuery('tea'), {
    limit: 10,
    depth: FIRST_DEPTH,
    read: 0,
    title: undefined,
    embedding: null,
    signal: undefined,
    budget: { left: 1_000 },
  });
  expect(depths).toEqual([120, 1_200, 12_000, 20_000]);
});

test('MEM-9: related memories are looked for no deeper than 2,000 chunks', async () => {
  const depths: number[] = [];
  const ports = {
    embeddingModel: { id: 'fake' },
    vectorIndex: {
      centre: async () => new Float32Array(1),
      search: async (_user: string, _model: string, _vector: unknown, { limit }: { limit: number }) => {
        depths.push(limit);
        return { hits: fill(limit) };
      },
    },
    memories: { readHits: async () => new Map() },
  };
  await findNeighbours(ports as unknown as CorePorts, 'ann', 'other', 5);
  expect(depths).toEqual([36, 144, 576, 2_000]);
});
