import { createMatcher } from '@recollect/contract/text';
import { chooseBlock } from './choose-block.js';

const NAME = 'search-words';
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
  CSS.highlights.set(NAME, new Highlight(...ranges));
  return () => CSS.highlights.delete(NAME);
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
