import { writeFormula } from './read-formulas.js';

/** Types of nodes. A parser of the server has no global `Node`. */
const ELEMENT = 1;
const TEXT = 3;
const BLOCK =
  /^(ADDRESS|ARTICLE|ASIDE|BLOCKQUOTE|BR|DD|DIV|DL|DT|FIGCAPTION|FIGURE|FOOTER|FORM|H[1-6]|HEADER|HR|LI|MAIN|NAV|OL|P|SECTION|TABLE|TR|UL)$/;
const CELL = /^(TD|TH)$/;
const HIDDEN_ELEMENTS = /^(SCRIPT|STYLE|BUTTON|SELECT|TEXTAREA|SVG)$/;

/** The text of a page copy without Markdown, one paragraph per block, for pages that are too long to convert. */
export function plainText(root: Element): string {
  const parts: string[] = [];
  collect(root, parts);
  return parts
    .join('')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[\n ]*/g, '\n\n')
    .trim();
}

function collect(element: Element, parts: string[]): void {
  for (const node of element.childNodes) {
    if (node.nodeType === TEXT) {
      parts.push((node.nodeValue ?? '').replace(/\s+/g, ' '));
      continue;
    }
    if (node.nodeType !== ELEMENT) continue;
    const name = node.nodeName.toUpperCase();
    const child = node as Element;
    if (HIDDEN_ELEMENTS.test(name) || child.getAttribute('style') === 'display:none') continue;
    const isPre = name === 'PRE';
    if (name === 'MATH') parts.push(writeFormula(child));
    else if (isPre) parts.push('\n', child.textContent ?? '', '\n');
    else {
      const gap = BLOCK.test(name) ? '\n' : CELL.test(name) ? ' ' : '';
      parts.push(gap);
      collect(child, parts);
      parts.push(gap);
    }
  }
}
