import { createMatcher, plainText } from '@recollect/contract/text';
import { collapse } from './find-quote.js';

/** Characters at either end of a block by which it is recognised in a passage, which can cut the other end off. */
const END = 60;

export interface Block {
  text: string;
  isHeading: boolean;
}

/**
 * The place of the block that matched a search:
 * of the blocks in the matched passage, the block with the most of the rarer words.
 *
 * @param passage Markdown; empty if it is not known
 * @returns -1 if no block has any of the words, and none is in the passage
 */
export function chooseBlock(blocks: readonly Block[], { words, passage }: { words: string; passage: string }): number {
  const plain = collapse(plainText(passage)).trim();
  const texts = blocks.map(({ text }) => collapse(text).trim());
  const inside = texts.flatMap((text, at) => (isIn(text, plain) ? [at] : []));
  const candidates = inside.length > 0 ? inside : texts.map((_, at) => at);
  const match = createMatcher(words);
  const found = candidates.map((at) => new Set(match(texts[at] ?? '').map(({ word }) => word)));
  const blocksWith = new Map<string, number>();
  for (const word of found.flatMap((all) => [...all])) blocksWith.set(word, (blocksWith.get(word) ?? 0) + 1);
  const scores = candidates.map((at, place) => {
    const rarity = Array.from(found[place] ?? [], (word) =>
      Math.log(1 + candidates.length / (blocksWith.get(word) ?? 1)),
    );
    // A heading names the text below it.
    return rarity.reduce((sum, one) => sum + one, 0) * (blocks[at]?.isHeading === true ? 0.5 : 1);
  });
  const best = Math.max(0, ...scores);
  if (best > 0) return candidates[scores.indexOf(best)] ?? -1;
  // Found only by its meaning: the longest block says the most.
  return inside.reduce((longest, at) => ((texts[at]?.length ?? 0) > (texts[longest]?.length ?? 0) ? at : longest), -1);
}

function isIn(text: string, passage: string): boolean {
  return text !== '' && (passage.includes(text.slice(0, END)) || passage.includes(text.slice(-END)));
}
