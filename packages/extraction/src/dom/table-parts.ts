/**
 * The parts of a table. The DOM has properties for them, which a parser without a browser lacks.
 */

/** The rows of a table, without the rows of nested tables, in the order in which a browser shows them. */
export function rowsOf(table: Element): Element[] {
  const own = [...table.querySelectorAll('tr')].filter((row) => row.closest('table') === table);
  const placeOf = ({ parentElement }: Element) => PLACES[parentElement?.localName ?? ''] ?? 1;
  return own.sort((a, b) => placeOf(a) - placeOf(b));
}

const PLACES: Readonly<Record<string, number>> = { thead: 0, tfoot: 2 };

/** The cells of a row. */
export function cellsOf(row: Element): HTMLElement[] {
  return [...row.children].filter(({ localName }) => localName === 'td' || localName === 'th') as HTMLElement[];
}

/** The caption of a table; null if it has none. */
export function captionOf(table: Element): HTMLElement | null {
  return ([...table.children].find(({ localName }) => localName === 'caption') as HTMLElement | undefined) ?? null;
}

/** How many columns or rows a cell takes. A rowspan of 0 extends to the end of the table. */
export function spanOf(cell: Element, attribute: 'colspan' | 'rowspan'): number {
  const span = Number.parseInt(cell.getAttribute(attribute) ?? '', 10);
  return Number.isNaN(span) || span < 0 ? 1 : span;
}
