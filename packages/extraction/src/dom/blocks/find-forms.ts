import type { Block } from './find-blocks.js';
import { wordsOf } from './words.js';

const FIELDS = 'input[type="email"], input[type="text"], input[type="tel"], input:not([type])';
/** A box with more words has text beside its fields. */
const BOX_WORDS = 60;

/** The boxes of a page in which readers are asked for an address, with all elements between a box and its fields. */
export function findForms(body: Element): ReadonlySet<Element> {
  const boxes = new Set<Element>();
  for (const field of body.querySelectorAll(FIELDS)) {
    for (
      let part = field.parentElement;
      part !== null && part !== body && !boxes.has(part);
      part = part.parentElement
    ) {
      if (wordsOf(part.textContent ?? '').length > BOX_WORDS) break;
      boxes.add(part);
    }
  }
  return boxes;
}

/** Tells which blocks are in one of the boxes. */
export function isInForm(blocks: readonly Block[], boxes: ReadonlySet<Element>): boolean[] {
  return blocks.map(({ element }) => {
    for (let part: Element | null = element; part !== null; part = part.parentElement) if (boxes.has(part)) return true;
    return false;
  });
}
