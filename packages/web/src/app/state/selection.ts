import { computed, effect, signal } from '@preact/signals';
import { items } from './library.js';

/** The ids of the selected memories. */
export const selection = signal<ReadonlySet<string>>(new Set());
/** The id of the memory that keys act on; null for none. It stays on its memory when the list changes. */
export const cursor = signal<string | null>(null);
/** Counts the requests to focus the cursor's row. */
export const refocus = signal(0);

/**
 * The selection that stands for all memories of the list, also those that are not loaded. Another selection is not it.
 */
const wholeList = signal<ReadonlySet<string> | null>(null);
export const isWholeList = computed(() => selection.value === wholeList.value);

// A memory that is not listed must not be changed: it left the list when it was marked as read, or by another client.
effect(() => {
  const listed = items.value;
  const before = selection.peek();
  if (listed === null || before.size === 0 || isWholeList.peek()) return;
  const stillListed = listedOf(before, listed);
  if (stillListed.size < before.size) selection.value = stillListed;
});

export const isSelecting = computed(() => selection.value.size > 0);

let anchor: string | null = null;

/** Where the cursor is in the list; -1 for nowhere. */
export function cursorIndex(): number {
  const id = cursor.peek();
  return id === null ? -1 : (items.peek()?.findIndex((item) => item.id === id) ?? -1);
}

/** Moves the cursor to a position in the list, or to the one nearest to it, and the focus with it. */
export function moveCursor(index: number): void {
  const listed = items.peek() ?? [];
  cursor.value = listed[Math.min(listed.length - 1, Math.max(0, index))]?.id ?? null;
  refocus.value += 1;
}

/** Selects a memory, or deselects it. With `extend`, the same for all up to the last one that was chosen. */
export function toggleSelected(id: string, { extend = false } = {}): void {
  const ids = items.value?.map((item) => item.id) ?? [];
  // Rows may have been loaded since the whole list was selected.
  const next = new Set(isWholeList.value ? ids : selection.value);
  const isAdded = !next.has(id);
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

/** Selects all memories of the list, also those that are not loaded. */
export function selectWholeList(): void {
  selectAll();
  wholeList.value = selection.value;
}

/** Restores a selection, without the memories that are no longer listed. */
export function selectAgain(before: ReadonlySet<string>): void {
  selection.value = listedOf(before, items.peek() ?? []);
}

function listedOf(ids: ReadonlySet<string>, listed: readonly { id: string }[]): Set<string> {
  return new Set(listed.flatMap(({ id }) => (ids.has(id) ? [id] : [])));
}

export function clearSelection(): void {
  selection.value = new Set();
}

/**
 * Keeps the focus in the list when the focused memory is gone: on the memory that took its place, or else on the page.
 */
export function keepPlace(index: number): void {
  if (index >= 0 && (items.peek()?.length ?? 0) > 0) moveCursor(index);
  else document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true });
}
