import { codeOf } from './code-blocks.js';

/**
 * Elements that hold numbers of lines of code: of Pygments, Chroma, Rouge, Prism, highlight.js and SyntaxHighlighter.
 */
const NUMBERS = [
  'linenos',
  'lineno',
  'linenodiv',
  'linenumber',
  'line-number',
  'line-numbers',
  'line-numbers-rows',
  'ln',
  'lnt',
  'gutter',
  'hljs-ln-numbers',
]
  .map((name) => `.${name}:not(code)`)
  .join();

/**
 * Removes the numbers beside the lines of code blocks, and makes one block of a table that has numbers in one cell and
 * code in the other.
 */
export function removeLineNumbers(root: Document | HTMLElement): void {
  for (const table of root.querySelectorAll('table')) {
    const code = codeBeside(table);
    if (code !== null) table.replaceWith(code);
  }
  for (const block of root.querySelectorAll('pre')) {
    const found = [...block.querySelectorAll<HTMLElement>(NUMBERS)].filter((element) => !isWithinNumbers(element));
    const numbers = found.map(numbersOf);
    // A program may have numbers in elements with such names, which count nothing.
    if (numbers.every((some) => some !== null) && areLines(numbers.flat()))
      for (const element of found) element.remove();
  }
}

/** Whether a column of numbers holds this element, which would count twice. */
function isWithinNumbers(element: Element): boolean {
  return element.parentElement?.closest(NUMBERS) != null;
}

/** The code of a table that has nothing else but the number of each of its lines. */
function codeBeside(table: Element): Element | null {
  // A title may stand above both.
  const cells = [...table.querySelectorAll<HTMLElement>('td, th')].filter((cell) => !isTitle(cell));
  const [beside, code] = cells;
  if (cells.length !== 2 || beside === undefined || code === undefined) return null;
  const numbers = numbersOf(beside);
  if (numbers === null || numbers.length === 0 || !areLines(numbers)) return null;
  const block = blockIn(code);
  return block !== null && Math.abs(codeOf(block).split('\n').length - numbers.length) <= 1 ? block : null;
}

function isTitle(cell: Element): boolean {
  return cell.nodeName === 'TH' && cell.parentElement?.children.length === 1;
}

/**
 * The only thing in a cell: a code block, or the lines of one. SyntaxHighlighter has an element for each line, and no
 * `pre`.
 */
function blockIn(cell: HTMLElement): HTMLElement | null {
  const rest = cell.cloneNode(true) as HTMLElement;
  const parts = [...rest.querySelectorAll('pre')];
  const lines = parts.length > 0 ? [] : [...rest.querySelectorAll('.line')];
  for (const part of [...parts, ...lines]) part.remove();
  if ((rest.textContent ?? '').trim() !== '' || parts.length > 1) return null;
  if (parts.length === 1) return cell.querySelector('pre');
  if (lines.length === 0) return null;
  const block = cell.ownerDocument.createElement('pre');
  block.textContent = lines.map((line) => (line.textContent ?? '').replaceAll('\u00a0', ' ').trimEnd()).join('\n');
  return block;
}

/** The numbers of an element that has nothing else; null if it has. */
function numbersOf(element: HTMLElement): number[] | null {
  const text = codeOf(element);
  return /^[\s\d]*$/.test(text) ? (text.match(/\d+/g) ?? []).map(Number) : null;
}

/** Whether numbers count lines, possibly with gaps. A single number must be 1. */
function areLines(numbers: readonly number[]): boolean {
  if (numbers.length === 1) return numbers[0] === 1;
  return numbers.every((number, at) => at === 0 || number > (numbers[at - 1] ?? 0));
}
