/** Types of nodes. A parser of the server has no global `Node`. */
const ELEMENT = 1;
const TEXT = 3;
/** White space says no more if it is longer, and converters take quadratic time for it. */
const LONGEST = 100;
/** Words, and white space that no parser joins into one space. */
const PARTS = /\S+|[^\S \t\r\n]+/g;
/** A line break in Markdown: two spaces and the end of the line. */
const BREAK = 3;

/** Cuts white space and line breaks between two words to 100 characters, except in code blocks. */
export function shortenGaps(root: Element): void {
  let gap = 0;
  let next: Node | null = root;
  while (next !== null) {
    const node: Node = next;
    const name = node.nodeName.toUpperCase();
    next = followingNode(node, root, name !== 'PRE');
    if (node.nodeType === TEXT) {
      const text = node.nodeValue ?? '';
      const shorter = text.replace(PARTS, shorten);
      if (shorter.length < text.length) node.nodeValue = shorter;
    } else if (name === 'BR') {
      gap += BREAK;
      if (gap > LONGEST) (node as Element).remove();
    } else if (node.nodeType === ELEMENT && showsSomething(node as Element, name)) gap = 0;
  }

  function shorten(part: string): string {
    if (part.trim() !== '') {
      gap = 0;
      return part;
    }
    const kept = part.slice(0, Math.max(0, LONGEST - gap));
    gap += part.length;
    return kept;
  }
}

/** Whether Markdown shows an element that need not contain a text. */
function showsSomething(element: Element, name: string): boolean {
  if (name === 'IMG') return (element.getAttribute('alt') ?? '').trim() !== '';
  return name === 'PRE' || name === 'HR' || name === 'INPUT';
}

/** The node after another one in the order of the document. */
function followingNode(node: Node, root: Node, enters: boolean): Node | null {
  if (enters && node.firstChild !== null) return node.firstChild;
  let last: Node | null = node;
  while (last !== null && last !== root) {
    if (last.nextSibling !== null) return last.nextSibling;
    last = last.parentNode;
  }
  return null;
}
