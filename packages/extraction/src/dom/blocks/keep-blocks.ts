import { type Block, nameOf } from './find-blocks.js';

const ELEMENT = 1;
/** Elements that say something without words. */
const MEANINGFUL = new Set(['BR', 'HR', 'MATH', 'SCRIPT', 'TD', 'TH']);

/**
 * Leaves of a page the blocks that were chosen, the pictures that stand between two of these, and what surrounds them: lists,
 * tables and quotations keep their marks.
 */
export function keepBlocks(body: Element, blocks: readonly Block[], isChosen: readonly boolean[]): void {
  const placeOf = new Map<ChildNode, number>();
  for (const [place, { nodes }] of blocks.entries()) for (const node of nodes) placeOf.set(node, place);
  let last = -1;
  prune(body);

  /** Whether anything of the element is left. */
  function prune(element: Element): boolean {
    let isLeft = false;
    for (const node of [...element.childNodes]) if (keeps(node)) isLeft = true;
    return isLeft;
  }

  function keeps(node: ChildNode): boolean {
    const place = placeOf.get(node);
    if (place !== undefined) {
      last = place;
      if (isChosen[place] === true) return true;
      node.remove();
      return false;
    }
    if (node.nodeType !== ELEMENT) return false;
    const element = node as Element;
    const name = nameOf(element);
    if (name === 'IMG') {
      if (isChosen[last] === true && isChosen[last + 1] === true) return true;
      element.remove();
      return false;
    }
    if (prune(element)) return true;
    if (!MEANINGFUL.has(name)) element.remove();
    return false;
  }
}
