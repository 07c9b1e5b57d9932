import { type Contents, isSentence } from './contents.js';
import { type Description, NOWHERE } from './description.js';
import type { Block } from './find-blocks.js';

/** The share of a block that has to be in the other text for the block to count as found. */
const FOUND = 0.5;
/** A paragraph that tells where the text is has at least this many words. */
const PARAGRAPH = 20;

/**
 * Describes each block by the text that another extractor found: its share, the shares around it, and its place between
 * the first and the last long paragraph of that text.
 *
 * @param shares how much of each block is in that text
 */
export function describeWitness(
  blocks: readonly Block[],
  shares: readonly number[],
  contents: ReadonlyMap<Element, Contents>,
): Description[] {
  const isFound = shares.map((share) => share >= FOUND);
  const isLong = blocks.map((block, place) => isFound[place] === true && block.size >= PARAGRAPH && isSentence(block));
  const first = isLong.indexOf(true);
  const last = isLong.lastIndexOf(true);
  const found = runningSums(blocks.map(({ size }, place) => (isFound[place] === true ? size : 0)));
  const all = runningSums(blocks.map(({ size }) => size));
  const long = runningSums(blocks.map(({ size }, place) => (isLong[place] === true ? size : 0)));
  const total = found.at(-1) ?? 0;
  return blocks.map(({ element }, place) => {
    const around = contents.get(element);
    return {
      found: shares[place] ?? 0,
      'found-1': shares[place - 1] ?? 0,
      'found+1': shares[place + 1] ?? 0,
      'found of group 1':
        around === undefined ? 0 : ((found[around.last + 1] ?? 0) - (found[around.first] ?? 0)) / around.size,
      foundOfPage: total / (all.at(-1) ?? 1),
      foundWords: total,
      longShare: (long.at(-1) ?? 0) / Math.max(1, total),
      toFirstLong: first < 0 ? NOWHERE : limited(first - place),
      sinceLastLong: last < 0 ? NOWHERE : limited(place - last),
      longAfter: (long.at(-1) ?? 0) - (long[place + 1] ?? 0),
      wordsSinceLastLong: last < 0 ? 0 : Math.max(0, (all[place] ?? 0) - (all[last + 1] ?? 0)),
    };
  });
}

function limited(distance: number): number {
  return Math.max(-NOWHERE, Math.min(NOWHERE, distance));
}

/** The sum of the values before each place, and the sum of all. */
function runningSums(values: readonly number[]): number[] {
  const sums = [0];
  for (const value of values) sums.push((sums.at(-1) ?? 0) + value);
  return sums;
}
