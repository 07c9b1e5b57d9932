/**
 * A table as a table of GitHub's Markdown. One that only lays out a page, since it has one column or tables within its
 * cells, gives way to what is in it. Cells that span columns leave the rest of them empty.
 */
export function tableToMarkdown(table: HTMLTableElement, convert: (cell: HTMLElement) => string): string {
  const rows = [...table.rows].map((row) => [...row.cells]);
  const isLayout = table.querySelector('table') !== null || rows.every(({ length }) => length <= 1);
  if (isLayout) return `\n\n${rows.flat().map(convert).filter(Boolean).join('\n\n')}\n\n`;
  const texts = rows.map((cells) =>
    cells.flatMap((cell) => [cellText(convert(cell)), ...Array(spanOf(cell) - 1).fill('')]),
  );
  const filled = texts.filter((cells) => cells.some((text) => text !== ''));
  const width = Math.max(0, ...filled.map(({ length }) => length));
  if (width === 0) return '';
  const line = (cells: readonly string[]) => `| ${[...cells, ...Array(width - cells.length).fill('')].join(' | ')} |`;
  const [head = [], ...body] = filled;
  const rule = `| ${Array(width).fill('---').join(' | ')} |`;
  const caption = table.caption === null ? '' : `${convert(table.caption).trim()}\n\n`;
  return `\n\n${caption}${[line(head), rule, ...body.map(line)].join('\n')}\n\n`;
}

/** A page may claim any number; a table of more columns than this is no table. */
const WIDEST = 100;

function spanOf(cell: HTMLTableCellElement): number {
  return Math.min(Math.max(1, cell.colSpan), WIDEST);
}

/** Code blocks and lists within a cell become one line. */
function cellText(markdown: string): string {
  return markdown
    .replace(/^(`{3,}).*\n([\s\S]*?)\n\1$/gm, '$2')
    .replace(/\s*\n\s*/g, ' ')
    .replace(/(?<!\\)\|/g, '\\|')
    .trim();
}
