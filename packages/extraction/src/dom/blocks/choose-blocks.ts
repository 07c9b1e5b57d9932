/** A block as far as its choice is concerned. */
export interface Judged {
  /** How many words it has. */
  readonly size: number;
  /** From 0 to 1. */
  readonly probability: number;
  /** Whether another extractor found it, too. */
  readonly isAgreed: boolean;
}

/** What the limit is multiplied by for a block that another extractor found, and for one that it left out. */
const AGREED = 0.6;
const ALONE = 1.5;

/**
 * Chooses the blocks that are a page's text, so that the F1 of their words can be expected to be the highest. That is so if the
 * limit of the probability is half of the F1 that is reached (Z. C. Lipton et al., "Optimal Thresholding of Classifiers to Maximize
 * F1 Measure", ECML PKDD 2014). Two extractors that agree are right more often than either.
 */
export function chooseBlocks(blocks: readonly Judged[]): boolean[] {
  const limit = expectedF1(blocks) / 2;
  return blocks.map(({ probability, isAgreed }) => probability >= limit * (isAgreed ? AGREED : ALONE));
}

/** The highest F1 that can be expected of any choice of the most probable blocks. */
export function expectedF1(blocks: readonly Omit<Judged, 'isAgreed'>[]): number {
  const sorted = [...blocks].sort((a, b) => b.probability - a.probability);
  const all = sorted.reduce((sum, { size, probability }) => sum + size * probability, 0);
  let chosen = 0;
  let right = 0;
  let best = 0;
  for (const { size, probability } of sorted) {
    chosen += size;
    right += size * probability;
    best = Math.max(best, (2 * right) / (chosen + all));
  }
  return best;
}
