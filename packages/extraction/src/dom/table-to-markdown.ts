import { captionOf, cellsOf, rowsOf, spanOf } from './table-parts.js';

/**
 * Converts a table to GitHub-flavoured Markdown. A table with one column is replaced by its content. The text of a cell
 * that spans columns or rows goes into the first of them; the others stay empty.
 */
export function tableToMarkdown(table: Element, convert: (cell: HTMLElement) => string): string {
  const title = captionOf(table);
  const caption = title === null ? '' : `${convert(title).trim()}\n\n`;
  const rows = rowsOf(table);
  if (rows.every((row) => cellsOf(row).length <= 1)) {
    const texts = rows.flatMap((row) => cellsOf(row).map(convert)).filter((text) => text !== '');
    return `\n\n${caption}${texts.join('\n\n')}\n\n`;
  }
  const filled = gridOf(rows, (cell) => cellText(convert(cell))).filter((cells) => cells.some((text) => text !== ''));
  const width = Math.max(0, ...filled.map(({ length }) => length));
  if (width === 0) return '';
  const line = (cells: readonly string[]) => `| ${[...cells, ...Array(width - cells.length).fill('')].join(' | ')} |`;
  const [head = [], ...body] = filled;
  const rule = `| ${Array(width).fill('---').join(' | ')} |`;
  return `\n\n${caption}${[line(head), rule, ...body.map(line)].join('\n')}\n\n`;
}

/**
 * Replaces layout tables with their content: tables that contain tables, since each level would double the time of a
 * conversion, and tables dominated by one cell with headings or several blocks, which would become one line.
 */
export function unwrapLayoutTables(root: Element): void {
  for (const table of root.querySelectorAll('table')) {
    if (table.querySelector('table') === null && !isLayout(table)) continue;
    const layout = table.ownerDocument.createElement('div');
    for (const part of [captionOf(table), ...rowsOf(table).flatMap(cellsOf)]) {
      if (part === null) continue;
      const block = table.ownerDocument.createElement('div');
      block.append(...part.childNodes);
      layout.append(block);
    }
    table.replaceWith(layout);
  }
}

/** The share of a table's text that is in one cell if the table lays out a page. */
const MAIN_CELL = 0.8;
const BLOCKS = 'h1, h2, h3, h4, h5, h6, p, ul, ol, pre, blockquote';

function isLayout(table: Element): boolean {
  const length = ({ textContent }: Element) => textContent?.trim().length ?? 0;
  const cells = rowsOf(table).flatMap(cellsOf);
  const most = MAIN_CELL * length(table);
  const main = cells.find((cell) => length(cell) > most);
  if (main === undefined || cells.length < 2) return false;
  return main.querySelectorAll(BLOCKS).length > 2;
}

/** A page may claim any span. No real table has more columns or rows than this. */
const MAX_SPAN = 1_000;

/** The cell texts, each in the column and row where a browser shows it. */
function gridOf(rows: readonly Element[], textOf: (cell: HTMLElement) => string): string[][] {
  const grid: string[][] = rows.map(() => []);
  for (const [at, row] of rows.entries()) {
    let column = 0;
    for (const cell of cellsOf(row)) {
      while (grid[at]?.[column] !== undefined) column += 1;
      const width = Math.min(Math.max(1, spanOf(cell, 'colspan')), MAX_SPAN);
      const height = Math.min(spanOf(cell, 'rowspan') || MAX_SPAN, rows.length - at);
      const text = textOf(cell);
      for (let down = 0; down < height; down++)
        for (let across = 0; across < width; across++) {
          const line = grid[at + down];
          if (line !== undefined) line[column + across] = down === 0 && across === 0 ? text : '';
        }
      column += width;
    }
  }
  return grid.map((line) => Array.from(line, (text) => text ?? ''));
}

/** Lists and paragraphs within a cell become one line. */
function cellText(markdown: string): string {
  return markdown
    .replace(/\s+/g, (spaces) => (spaces.includes('\n') ? ' ' : spaces))
    .replace(/(?<!\\)\|/g, '\\|')
    .trim();
}
