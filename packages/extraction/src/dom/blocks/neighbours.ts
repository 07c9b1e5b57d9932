import { isSentence } from './contents.js';
import { type Description, NOWHERE } from './description.js';
import { type Block, nameOf } from './find-blocks.js';

/** How far the neighbourhood of a block extends, in blocks to each side. */
const NEAR = 4;

/** For each block, the heading above it. */
export function headings(blocks: readonly Block[]): Description[] {
  let sinceHeading = NOWHERE;
  let wordsSince = 0;
  let level = 7;
  let seen = 0;
  return blocks.map(({ element, size }) => {
    const name = nameOf(element);
    if (/^H[1-6]$/.test(name)) {
      sinceHeading = 0;
      wordsSince = 0;
      level = Number(name[1]);
      seen++;
    } else {
      sinceHeading++;
      wordsSince += size;
    }
    return { sinceHeading, wordsSinceHeading: wordsSince, levelAbove: level, headingsBefore: seen };
  });
}

/** The neighbours of each block. */
export function addNeighbours(blocks: readonly Block[], described: readonly Description[]): void {
  for (const [place, description] of described.entries()) {
    for (const step of [-1, 1]) {
      const other = described[place + step];
      const suffix = `${step > 0 ? '+' : ''}${step}`;
      description[`size${suffix}`] = other?.size ?? 0;
      description[`headingLevel${suffix}`] = other?.headingLevel ?? 7;
      description[`depth${suffix}`] = other === undefined ? NOWHERE : (other.depth ?? 0) - (description.depth ?? 0);
    }
    for (const side of [-1, 1]) {
      let words = 0;
      let linkWords = 0;
      let sentences = 0;
      let longest = 0;
      for (let step = 1; step <= NEAR; step++) {
        const other = blocks[place + side * step];
        if (other === undefined) break;
        words += other.size;
        linkWords += other.linkSize;
        longest = Math.max(longest, other.size - other.linkSize);
        if (isSentence(other)) sentences++;
      }
      const where = side < 0 ? 'before' : 'after';
      description[`words ${where}`] = words;
      description[`links ${where}`] = words === 0 ? 1 : linkWords / words;
      description[`sentences ${where}`] = sentences;
      description[`longest ${where}`] = longest;
    }
  }
}
