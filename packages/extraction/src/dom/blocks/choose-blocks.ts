/** A block as far as its choice is concerned. */
export interface Judged {
  /** How many words it has. */
  readonly size: number;
  /** From 0 to 1. */
  readonly probability: number;
  /** Whether another extractor also found it. */
  readonly isAgreed: boolean;
  /** Whether the text around it makes less sense without it. */
  readonly isPart: boolean;
  /** Whether it is in a quotation, such as an embedded post of a social network. */
  readonly isQuoted: boolean;
  /** Whether the other extractor found it among the footnotes, which stand far from the text that they belong to. */
  readonly isFootnote: boolean;
}

/** The factor of the limit on articles, where what stands around the text reads like it. */
const ARTICLE = 1.3;
/** The factor on other pages, for a block that another extractor found. */
const AGREED = 0.6;
/** The factor on other pages, for a headline or another such part directly before the chosen text. */
const LEAD = 0.4;
/** The factor for a block that the other extractor found and that continues the chosen text, where a gap is worst. */
const CONTINUED = 0.5;
/** The factor on articles for such a part within the chosen text that the other extractor found. */
const PART = 0.25;
/** The factor on articles for a quotation within the chosen text. */
const QUOTED = 0.4;
/** How many blocks may stand between the last one that continues a text and the one before. */
const GAP = 1;
/** A page of which no choice of blocks can be expected to reach this F1 is one that the trees do not understand. */
const LOWEST_F1 = 0.5;

/**
 * Chooses the blocks that are a page's text, so that the F1 of their words can be expected to be the highest. That is
 * so if the limit of the probability is half of the F1 that is reached (Z. C. Lipton et al., "Optimal Thresholding of
 * Classifiers to Maximize F1 Measure", ECML PKDD 2014).
 *
 * Word-level F1 ignores small blocks. Small blocks that the other extractor found also stay, if the text needs them. If
 * any choice would be a guess, chooses no block.
 */
export function chooseBlocks(blocks: readonly Judged[], isArticle = false): boolean[] {
  const expected = expectedF1(blocks);
  if (expected < LOWEST_F1) return blocks.map(() => false);
  const limit = (expected / 2) * (isArticle ? ARTICLE : 1);
  const limitOf = ({ isAgreed }: Judged) => limit * (isAgreed && !isArticle ? AGREED : 1);
  const isChosen = blocks.map((block) => block.probability >= limitOf(block));
  let first = isChosen.indexOf(true);
  if (first < 0) return isChosen;
  const lead = blocks[first - 1];
  if (!isArticle && lead?.isPart === true && lead.probability >= limit * LEAD) isChosen[--first] = true;
  const continues = ({ probability, isAgreed }: Judged) => isAgreed && probability >= limit * CONTINUED;
  let last = isChosen.lastIndexOf(true);
  for (let place = last + 1; place <= last + 1 + GAP; place++) {
    const block = blocks[place];
    if (block !== undefined && continues(block)) last = place;
  }
  return blocks.map((block, place) => {
    if (isChosen[place] === true || block.isFootnote) return true;
    if (place < first || place > last) return false;
    if (isArticle && block.isQuoted && block.probability >= limit * QUOTED) return true;
    const isLikely = !isArticle || block.probability >= limit * PART;
    return continues(block) || (block.isAgreed && block.isPart && isLikely);
  });
}

/** The highest F1 that can be expected of any choice of the most probable blocks. */
export function expectedF1(blocks: readonly Pick<Judged, 'size' | 'probability'>[]): number {
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
