import { markMatches } from '@recollect/contract/text';
import { indexText } from './text-index.js';

const NAME = 'search-words';
/** Blocks of text, from which the best match is chosen. */
const BLOCKS = 'p, li, h2, h3, h4, h5, h6, td, th, pre';
/** Characters of an excerpt that are searched for. */
const EXCERPT = 120;

/** Marks the words of a search. It changes no element, so that selections and highlights stay. Returns how to remove the marks. */
export function markWords(root: HTMLElement, words: string): () => void {
  if (words.trim() === '' || !('highlights' in CSS)) return () => {};
  const ranges: Range[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    let at = 0;
    for (const { text, isMatch } of markMatches((node as Text).data, words)) {
      if (isMatch) {
        const range = new Range();
        range.setStart(node, at);
        range.setEnd(node, at + text.length);
        ranges.push(range);
      }
      at += text.length;
    }
  }
  CSS.highlights.set(NAME, new Highlight(...ranges));
  return () => CSS.highlights.delete(NAME);
}

/** Scrolls to the passage that a search found: the excerpt it showed, or else the block with the most of its words. */
export function openAt(root: HTMLElement, { words, excerpt }: { words: string; excerpt: string }): void {
  if (words.trim() === '' && excerpt === '') return;
  const shown = excerpt.replace(/^…|…$/g, '');
  const range = shown === '' ? null : indexText(root).find({ quote: shown.slice(0, EXCERPT), prefix: '', suffix: '' });
  const found = range?.startContainer.parentElement ?? bestBlock(root, words);
  if (found == null) return;
  const block = found.closest<HTMLElement>(BLOCKS) ?? found;
  block.classList.add('passage');
  // At the beginning of the text, the title should stay in view.
  if (block !== root.querySelector(BLOCKS)) block.scrollIntoView({ block: 'center' });
}

function bestBlock(root: HTMLElement, words: string): HTMLElement | null {
  let best: { block: HTMLElement; count: number } | null = null;
  for (const block of root.querySelectorAll<HTMLElement>(BLOCKS)) {
    const matched = markMatches(block.textContent, words).filter(({ isMatch }) => isMatch);
    const count = new Set(matched.map(({ text }) => text.toLowerCase())).size;
    if (count > (best?.count ?? 0)) best = { block, count };
  }
  return best?.block ?? null;
}
