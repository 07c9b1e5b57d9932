import type { RankedHit } from '@recollect/core';

/**
 * Hits as an array of numbers and an array of ids, which a message copies faster than one object per hit.
 */
export interface PackedHits {
  memoryIds: string[];
  /** The numeric values of all hits, hit by hit; NaN for null. */
  values: Float64Array;
}

const VALUES = 7;

export function packHits(hits: readonly RankedHit[]): PackedHits {
  const values = new Float64Array(VALUES * hits.length);
  for (const [at, { chunkId, rank, textShare, text, similarity, late, isInComments }] of hits.entries())
    values.set(
      [chunkId, rank, textShare, text, similarity ?? Number.NaN, late ?? Number.NaN, isInComments ? 1 : 0],
      VALUES * at,
    );
  return { memoryIds: hits.map(({ memoryId }) => memoryId), values };
}

export function unpackHits({ memoryIds, values }: PackedHits): RankedHit[] {
  return memoryIds.map((memoryId, at) => {
    const [chunkId = 0, rank = 0, textShare = 0, text = 0, similarity, late, isInComments] = values.subarray(
      VALUES * at,
      VALUES * (at + 1),
    );
    return {
      chunkId,
      memoryId,
      rank,
      textShare,
      text,
      similarity: orNull(similarity),
      late: orNull(late),
      isInComments: isInComments === 1,
    };
  });
}

function orNull(value: number | undefined): number | null {
  return value === undefined || Number.isNaN(value) ? null : value;
}
