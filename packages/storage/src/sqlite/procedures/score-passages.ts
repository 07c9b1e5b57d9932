import { createPassageScorer } from '@recollect/vector-scan';
import type { All } from './all.js';

export interface PassageRequest {
  userId: string;
  modelId: number;
  /** The query's token vectors, of length 1 and `dimensions` components each, one after the other. */
  tokens: Float32Array;
  dimensions: number;
  chunkIds: readonly number[];
}

export interface PassageProcedures {
  /** The late-interaction scores of those chunks that have passage vectors; null for one that has no tokens. */
  scorePassages(request: PassageRequest): Map<number, number | null>;
}

export function createPassageProcedures(all: All): PassageProcedures {
  return {
    scorePassages({ userId, modelId, tokens, dimensions, chunkIds }) {
      const score = createPassageScorer(tokens, dimensions);
      const rows = all(
        `select chunk_id as chunkId, signs from passage_vectors
        where user_id = ? and model_id = ? and chunk_id in (select value from json_each(?))`,
        [userId, modelId, JSON.stringify(chunkIds)],
      ) as { chunkId: number; signs: Uint8Array }[];
      const scores = rows.map(({ chunkId, signs }): [number, number | null] => [chunkId, score(signs)]);
      return new Map(scores.filter(([, found]) => !Number.isNaN(found)));
    },
  };
}
