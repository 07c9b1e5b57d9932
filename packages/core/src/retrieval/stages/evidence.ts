import type { Candidates } from '../../ports/index.js';

/** The scores of each signal for the candidates, by the ids of their chunks. */
export interface SignalScores {
  /** BM25. */
  text: ReadonlyMap<number, number>;
  /** BM25 of a chunk in which every word of the query counts in full. */
  fullText: number;
  /** How rare each term of the query is. */
  weights: readonly number[];
  /** Cosines. Null without vectors. */
  similarity: ReadonlyMap<number, number> | null;
  /** Late-interaction scores of the best candidates. Null without them. */
  late: ReadonlyMap<number, number> | null;
  /** Chunks that were searched. */
  chunks: number;
}

/** The scores of both indexes for their candidates. */
export function evidenceOf({ text, nearest }: Pick<Candidates, 'text' | 'nearest'>): Omit<SignalScores, 'late'> {
  const near = nearest?.hits ?? [];
  return {
    text: new Map([...text.scores, ...text.hits.map(({ chunkId, score }): [number, number] => [chunkId, score])]),
    fullText: text.fullScore,
    weights: text.weights,
    similarity:
      nearest === null
        ? null
        : new Map([
            ...nearest.similarities,
            ...near.map(({ chunkId, similarity }): [number, number] => [chunkId, similarity]),
          ]),
    chunks: text.chunks,
  };
}
