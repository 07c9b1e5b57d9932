import { computed, signal } from '@preact/signals';
import { items } from './library.js';

/** The ids of the selected memories. */
export const selection = signal<ReadonlySet<string>>(new Set());
/** The position in the list that keys act on; -1 for none. */
export const cursor = signal(-1);

/** Counts the requests to focus the cursor's row again. */
export const refocus = signal(0);

export const isSelecting = computed(() => selection.value.size > 0);

let anchor: string | null = null;

/** Selects a memory, or no longer. With `extends`, all up to the last one that was chosen. */
export function toggleSelected(id: string, { extend = false } = {}): void {
  const next = new Set(selection.value);
  const isAdded = !next.has(id);
  const ids = items.value?.map((item) => item.id) ?? [];
  const [from, to] = [ids.indexOf(anchor ?? id), ids.indexOf(id)].sort((a, b) => a - b);
  const range = extend && from !== undefined && from >= 0 && to !== undefined ? ids.slice(from, to + 1) : [id];
  for (const each of range) {
    if (isAdded) next.add(each);
    else next.delete(each);
  }
  anchor = id;
  selection.value = next;
}

export function selectAll(): void {
  selection.value = new Set(items.value?.map(({ id }) => id));
}

export function clearSelection(): void {
  selection.value = new Set();
}

/** Keeps the focus in the list when what had it is gone: on the memory that took its place, or else on the page. */
export function keepPlace(): void {
  const { length } = items.peek() ?? [];
  cursor.value = Math.min(cursor.peek(), length - 1);
  if (cursor.peek() >= 0) refocus.value += 1;
  else document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true });
}
