import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { tinykeys } from 'tinykeys';
import { isSignedOut } from '../api/connection.js';
import { ask } from '../dialogs/ask.js';
import { deleteSelected, readTags } from '../list/selection-bar.js';
import { addTags, deleteMemories } from '../state/changes.js';
import { items } from '../state/library.js';
import { clearSelection, cursor, selection, toggleSelected } from '../state/selection.js';
import { commands } from './commands.js';
import { isPaletteOpen } from './overlays.js';

/** The keys of the app. They do nothing while a field or a dialog has the focus. */
export function useKeys(): void {
  const { path, route } = useLocation();
  useEffect(() => {
    const isList = path === '/';
    const move = (step: number) => {
      const { length } = items.value ?? [];
      if (isList && length > 0) cursor.value = Math.min(length - 1, Math.max(0, cursor.value + step));
    };
    const current = () => (isList ? items.value?.[cursor.value] : undefined);
    const own: Record<string, (event: KeyboardEvent) => void> = {
      ...Object.fromEntries(
        commands.flatMap(({ keys, run }) => (keys === undefined ? [] : [[keyOf(keys), () => run(route)]])),
      ),
      j: () => move(1),
      k: () => move(-1),
      ArrowDown: () => move(1),
      ArrowUp: () => move(-1),
      o: () => openCurrent(current()?.id),
      x: () => {
        const item = current();
        if (item !== undefined) toggleSelected(item.id);
      },
      'Shift+#': () => void remove(isList, current()?.id),
      '#': () => void remove(isList, current()?.id),
      e: () => void editTags(isList, current()?.id),
      u: () => history.back(),
      Escape: () => clearSelection(),
    };
    const quiet = Object.entries(own).map(([keys, run]): [string, (event: KeyboardEvent) => void] => [
      keys,
      (event) => {
        if (isSignedOut.value || isTyping(event)) return;
        event.preventDefault();
        run(event);
      },
    ]);
    const stopOwn = tinykeys(window, Object.fromEntries(quiet), { ignore });
    const palette = {
      '$mod+k': (event: KeyboardEvent) => {
        event.preventDefault();
        if (isSignedOut.value) return;
        isPaletteOpen.value = !isPaletteOpen.value;
      },
    };
    const stopPalette = tinykeys(window, palette, { ignore });
    return () => {
      stopOwn();
      stopPalette();
    };
  }, [path, route]);
}

/** The help's spelling of keys, as the library reads it. */
function keyOf(keys: string): string {
  return keys === '?' ? 'Shift+?' : keys.replace(/^\*/, 'Shift+*');
}

/** The library would ignore every field, also for the palette, and check boxes. */
function ignore({ repeat, isComposing }: KeyboardEvent): boolean {
  return repeat || isComposing;
}

function isTyping({ target }: KeyboardEvent): boolean {
  if (!(target instanceof Element)) return false;
  const isField = target.matches('input:not([type="checkbox"]), textarea, select, [contenteditable="true"]');
  return isField || target.closest('dialog') !== null;
}

function openCurrent(id: string | undefined): void {
  if (id !== undefined) document.querySelector<HTMLElement>(`a.row-title[href^="/memory/${CSS.escape(id)}"]`)?.click();
}

async function remove(isList: boolean, id: string | undefined): Promise<void> {
  if (!isList) dispatchEvent(new CustomEvent('recollect-reader', { detail: 'delete' }));
  else if (selection.value.size > 0) await deleteSelected();
  else if (id !== undefined) await deleteMemories([id]);
}

async function editTags(isList: boolean, id: string | undefined): Promise<void> {
  if (!isList) {
    document.querySelector<HTMLElement>('#edit-tags')?.click();
    return;
  }
  const ids = selection.value.size > 0 ? [...selection.value] : id === undefined ? [] : [id];
  if (ids.length === 0) return;
  const answer = await ask({
    title: 'Add tag',
    label: 'Tags, separated by commas',
    action: 'Add tag',
    completes: 'tags',
  });
  const added = readTags(answer ?? '');
  if (added.length > 0) await addTags(ids, added);
}
