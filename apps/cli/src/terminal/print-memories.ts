import { type Listed, rememberResults } from '../memory-references/last-results.js';
import { type Column, printTable } from './print-table.js';

/** A memory in a list, with the cells of the list's own columns. */
export interface Row extends Listed {
  cells: readonly string[];
}

/** Prints a table of memories, and keeps their order: the next command may name them `@1`, `@2` and so on. */
export async function printMemories(columns: readonly Column[], memories: readonly Row[]): Promise<void> {
  const place = { title: '', width: String(memories.length).length + 1 };
  printTable(
    [place, ...columns, { title: 'title' }, { title: 'id', width: 36 }],
    memories.map(({ id, title, cells }, at) => [`@${at + 1}`, ...cells, title, id]),
  );
  await rememberResults(memories);
}
