import type { Candidates, LateQuery } from '../../ports/index.js';
import { evidenceOf } from './evidence.js';
import { fuseRankings } from './fuse.js';
import { bestCandidates } from './rerank.js';

/**
 * The candidates that a query is compared with by late interaction. An index that finds candidates reads their passage
 * vectors in the same step.
 */
export function lateCandidates(
  candidates: Pick<Candidates, 'text' | 'nearest'>,
  { weight, floor, count }: Omit<LateQuery, 'tokens'>,
): number[] {
  const { text, similarity } = evidenceOf(candidates);
  return bestCandidates(fuseRankings(text, similarity, { weight, floor, coverage: candidates.text.coverage }), count);
}
