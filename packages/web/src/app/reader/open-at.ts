import { createMatcher, plainText } from '@recollect/contract/text';
import { collapse } from '@recollect/ui/text-index';

const SEARCH_WORDS_KEY = 'search-words';
/** Blocks of text. */
const BLOCKS = 'p, li, h2, h3, h4, h5, h6, td, th, pre';

/**
 * Marks the words of a search. It changes no element, so that selections and highlights stay. Returns how to remove the
 * marks.
 */
export function markWords(root: HTMLElement, words: string): () => void {
  if (words.trim() === '' || !('highlights' in CSS)) return () => {};
  const ranges: Range[] = [];
  const match = createMatcher(words);
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    for (const { start, end } of match((node as Text).data)) {
      const range = new Range();
      range.setStart(node, start);
      range.setEnd(node, end);
      ranges.push(range);
    }
  }
  CSS.highlights.set(SEARCH_WORDS_KEY, new Highlight(...ranges));
  return () => CSS.highlights.delete(SEARCH_WORDS_KEY);
}

/** Scrolls to the block that a search was for, and lets it shine for a moment. */
export function openAt(root: HTMLElement, search: { words: string; passage: string }): void {
  if (search.words.trim() === '' && search.passage === '') return;
  const all = [...root.querySelectorAll<HTMLElement>(BLOCKS)];
  // Of blocks within each other, the innermost have the text.
  const elements = all.filter((element) => element.querySelector(BLOCKS) === null && !element.hidden);
  const blocks = elements.map((element) => ({ text: textOf(element), isHeading: /^H\d$/.test(element.tagName) }));
  const block = elements[chooseBlock(blocks, search)];
  if (block === undefined) return;
  block.classList.add('passage');
  // At the beginning of the text, the title should stay in view.
  if (block !== all[0]) block.scrollIntoView({ block: 'start' });
}

/** The text of a block, in which a line break separates words. */
function textOf(block: HTMLElement): string {
  if (block.querySelector('br') === null) return block.textContent;
  const parts: string[] = [];
  const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
    parts.push(node instanceof Text ? node.data : node instanceof HTMLBRElement ? '\n' : '');
  return parts.join('');
}

/** Characters at either end of a block by which it is recognised in a passage, which can cut the other end off. */
const BLOCK_END_CHARACTERS = 60;

interface Block {
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
  const wordSets = candidates.map((at) => new Set(match(texts[at] ?? '').map(({ word }) => word)));
  const blocksWith = new Map<string, number>();
  for (const word of wordSets.flatMap((all) => [...all])) blocksWith.set(word, (blocksWith.get(word) ?? 0) + 1);
  const scores = candidates.map((at, place) => {
    const rarity = Array.from(wordSets[place] ?? [], (word) =>
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
  return (
    text !== '' &&
    (passage.includes(text.slice(0, BLOCK_END_CHARACTERS)) || passage.includes(text.slice(-BLOCK_END_CHARACTERS)))
  );
}
