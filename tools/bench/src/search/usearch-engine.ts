import { join } from 'node:path';
import { DIMENSIONS } from './dataset.js';
import type { OpenEngine } from './engine.js';
import { loadPeer } from './peers.js';

/** usearch: an HNSW graph over vectors in memory, without full text. */
export const openUsearchEngine: OpenEngine = async (folder) => {
  const { Index } = loadPeer('usearch');
  const index = new Index({ metric: 'cos', dimensions: DIMENSIONS, quantization: 'f32' });
  return {
    async fill(rows) {
      for (const { id, vector } of rows) index.add(BigInt(id), vector);
      index.save(join(folder, 'vectors.usearch'));
    },
    nearest: async (vector, limit) => Array.from(index.search(vector, limit).keys as BigUint64Array, Number),
    close: async () => {},
  };
};
