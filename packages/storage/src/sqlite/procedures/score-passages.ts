import { scorePassages } from '@recollect/vector-scan';
import type { All } from './all.js';

export interface PassageRequest {
  userId: string;
  modelId: number;
  /** The query's token vectors, of length 1 and `dimensions` components each, one after the other. */
  tokens: Float32Array;
  dimensions: number;
  chunkIds: readonly number[];
}

/** The late-interaction scores of those chunks that have passage vectors; null for one that has no tokens. */
export type ScorePassages = (request: PassageRequest) => Map<number, number | null>;

export function createPassageScores(all: All): ScorePassages {
  return ({ userId, modelId, tokens, dimensions, chunkIds }) => {
    if (tokens.length === 0 || tokens.length % dimensions !== 0) return new Map();
    const rows = all(
      `select chunk_id as chunkId, signs from passage_vectors
      where user_id = ? and model_id = ? and chunk_id in (select value from json_each(?))`,
      [userId, modelId, JSON.stringify(chunkIds)],
    ) as { chunkId: number; signs: Uint8Array }[];
    const scores = scorePassages(
      tokens,
      dimensions,
      rows.map(({ signs }) => signs),
    );
    const scored = rows.map(({ chunkId }, at): [number, number | null] => [chunkId, scores[at] ?? null]);
    return new Map(scored.filter(([, score]) => !Number.isNaN(score)));
  };
}
