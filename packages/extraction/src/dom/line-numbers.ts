/** Elements that hold the number of a line of code: of Pygments, Chroma, Rouge, Prism, highlight.js and SyntaxHighlighter. */
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
  .map((name) => `pre .${name}`)
  .join();
const ONLY_NUMBERS = /^[\s\d]*$/;

/** Removes the numbers beside the lines of code blocks, and makes one block of a table that has numbers in one cell and code in the other. */
export function removeLineNumbers(root: Document | HTMLElement): void {
  for (const table of root.querySelectorAll('table')) {
    const code = codeBeside(table);
    if (code !== null) table.replaceWith(code);
  }
  for (const number of root.querySelectorAll(NUMBERS)) if (ONLY_NUMBERS.test(number.textContent ?? '')) number.remove();
}

/** The code of a table of one row, whose first cell has nothing but numbers. */
function codeBeside(table: Element): Element | null {
  const cells = [...table.querySelectorAll('td')];
  const [numbers, code] = cells;
  if (cells.length !== 2 || numbers === undefined || code === undefined) return null;
  if (numbers.textContent?.trim() === '' || !ONLY_NUMBERS.test(numbers.textContent ?? '')) return null;
  const blocks = code.querySelectorAll('pre');
  if (blocks.length > 0) return blocks.length === 1 ? (blocks[0] ?? null) : null;
  // SyntaxHighlighter has an element for each line, and no `pre`.
  const lines = [...code.querySelectorAll('.line')];
  if (lines.length === 0) return null;
  const block = table.ownerDocument.createElement('pre');
  block.textContent = lines.map((line) => (line.textContent ?? '').replaceAll('\u00a0', ' ').trimEnd()).join('\n');
  return block;
}
