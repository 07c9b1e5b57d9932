import { type Block, nameOf } from './find-blocks.js';

const ELEMENT = 1;
/** Elements that say something, or that others need, without words. */
const MEANINGFUL = new Set(['BR', 'HR', 'MATH', 'TD', 'TH']);
const VISIBLE = /[^\s\u00a0\u200b]/;

/**
 * Leaves of a page the blocks that were chosen and what surrounds them, so that lists, tables and quotations keep their
 * marks. What has no words, such as a picture or a row of stars, stays if it is between chosen blocks, and beside one
 * of them. Before and after them, only pictures that another extractor found stay.
 *
 * @param pictures the addresses of those pictures
 */
export function keepBlocks(
  body: Element,
  blocks: readonly Block[],
  isChosen: readonly boolean[],
  pictures: readonly string[] = [],
): void {
  const known = new Set(pictures.map(fileOf));
  const placeOf = new Map<ChildNode, number>();
  for (const [place, { nodes }] of blocks.entries()) for (const node of nodes) placeOf.set(node, place);
  const first = isChosen.indexOf(true);
  const end = isChosen.lastIndexOf(true);
  let last = -1;
  prune(body);
  unwrapItems(body);

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
    if (nameOf(element) === 'IMG') {
      const isKnown = known.has(fileOf(element.getAttribute('src') ?? ''));
      if (isBesideText() || (isKnown && (isChosen[last] === true || isChosen[last + 1] === true))) return true;
      element.remove();
      return false;
    }
    if (prune(element)) return true;
    if (VISIBLE.test(element.textContent ?? '') && isBesideText()) return true;
    if (!MEANINGFUL.has(nameOf(element))) element.remove();
    return false;
  }

  function isBesideText(): boolean {
    return last >= first && last < end && (isChosen[last] === true || isChosen[last + 1] === true);
  }
}

/** The name of a picture's file: pages have addresses of it for each size, and relative ones. */
function fileOf(address: string): string {
  return (
    address
      .replace(/[?#].*$/s, '')
      .split('/')
      .at(-1) ?? ''
  );
}

/** Replaces an item of which only an inner list is left with the items of that list. */
function unwrapItems(body: Element): void {
  for (const item of body.querySelectorAll('li')) {
    const isList = ({ nodeName }: Element) => /^[UO]L$/i.test(nodeName);
    const parts = [...item.childNodes].filter(
      (node) =>
        (node.nodeType === ELEMENT && node.nodeName.toUpperCase() !== 'BR') || (node.nodeValue ?? '').trim() !== '',
    );
    if (parts.length > 0 && parts.every((node) => node.nodeType === ELEMENT && isList(node as Element)))
      item.replaceWith(...parts.flatMap((list) => [...list.childNodes]));
  }
}
