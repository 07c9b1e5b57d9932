import type { Block } from './find-blocks.js';

/** The content of an element of a page, as sums over its blocks. */
export interface Contents {
  readonly element: Element;
  /** In words. */
  size: number;
  linkSize: number;
  blocks: number;
  /** The size of its blocks that are running text. */
  sentenceSize: number;
  /** The places of its first and last block on the page. */
  first: number;
  last: number;
}

/** A block of at least this many words that ends as a sentence does, mostly without links, is running text. */
const SENTENCE_WORDS = 8;
const SENTENCE_END = /[.!?…。！？:;"'”’»)\]]$/u;
const SENTENCE_LINKS = 0.4;

/** Whether a block is running text, as far as its punctuation tells. */
export function isSentence({ text, size, linkSize }: Block): boolean {
  return size >= SENTENCE_WORDS && linkSize <= SENTENCE_LINKS * size && SENTENCE_END.test(text);
}

/** Sums up the content of each element that surrounds a block. */
export function sumContents(body: Element, blocks: readonly Block[]): Map<Element, Contents> {
  const all = new Map<Element, Contents>();
  for (const [place, block] of blocks.entries()) {
    const sentence = isSentence(block);
    for (let element: Element | null = block.element; element !== null; element = element.parentElement) {
      let contents = all.get(element);
      if (contents === undefined) {
        const nothing = { size: 0, linkSize: 0, blocks: 0, sentenceSize: 0 };
        contents = { element, ...nothing, first: place, last: place };
        all.set(element, contents);
      }
      contents.size += block.size;
      contents.linkSize += block.linkSize;
      contents.blocks++;
      contents.last = place;
      if (sentence) contents.sentenceSize += block.size;
      if (element === body) break;
    }
  }
  return all;
}

/** How much of its score a running text gives to its parent, its parent's parent, and so on. */
const SHARES = [1, 0.5, 0.25, 0.125];

/**
 * The element in which most of the running text stands, by the measure of Readability: each text gives its words to the
 * elements around it, less the farther they are.
 */
export function bestContainer(body: Element, blocks: readonly Block[]): Element {
  const scores = new Map<Element, number>();
  let best = body;
  for (const block of blocks) {
    if (!isSentence(block)) continue;
    const first = block.element.childNodes.length === block.nodes.length ? block.element.parentElement : block.element;
    let element: Element | null = first;
    for (const share of SHARES) {
      if (element === null) break;
      const score = (scores.get(element) ?? 0) + share * block.size;
      scores.set(element, score);
      if (score > (scores.get(best) ?? 0)) best = element;
      if (element === body) break;
      element = element.parentElement;
    }
  }
  return best;
}
