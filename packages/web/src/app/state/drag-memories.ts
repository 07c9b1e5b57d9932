import { items } from './library.js';
import { isWholeList, selection } from './selection.js';

/** The type of dragged memories, whose data are their ids. */
const TYPE = 'application/x-recollect-memories';

/** Drags the memory of a row, or all selected memories if it is one of them. */
export function startDrag(event: DragEvent): void {
  const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-index]') : null;
  const dragged = items.peek()?.[Number(row?.dataset.index)]?.id;
  if (dragged === undefined || isWholeList.peek()) return;
  const ids = selection.peek().has(dragged) ? [...selection.peek()] : [dragged];
  event.dataTransfer?.setData(TYPE, JSON.stringify(ids));
}

/** Whether memories of a list are dragged, and not files or links of another program. */
export function hasMemories({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes(TYPE) === true;
}

/** The ids of the dropped memories. */
export function droppedMemories({ dataTransfer }: DragEvent): string[] {
  return JSON.parse(dataTransfer?.getData(TYPE) || '[]') as string[];
}
