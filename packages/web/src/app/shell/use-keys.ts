import { useLayoutEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { tinykeys } from 'tinykeys';
import { isSignedOut } from '../api/connection.js';
import { askToAddTags, deleteSelected, selected } from '../dialogs/selected-memories.js';
import { deleteMemories, markMemories, starMemories } from '../state/changes.js';
import { type Item, items } from '../state/library.js';
import { isListPage, memoryAddress, query, setQuery } from '../state/query.js';
import { clearSelection, cursorIndex, keepPlace, moveCursor, selection, toggleSelected } from '../state/selection.js';
import { succeeds } from '../state/status.js';
import { commands } from './commands.js';
import { isPaletteOpen } from './overlays.js';

type Binding = [keys: string, run: () => void];

/** The keys of the app. They do nothing while a field or a dialog has the focus. */
export function useKeys(): void {
  const { route } = useLocation();
  const latestRoute = useRef(route);
  latestRoute.current = route;
  // A layout effect, so that keys work as soon as the page is shown. It runs once, because a sequence may span two
  // pages.
  useLayoutEffect(() => {
    // Asked with each key: one that follows a change of the page at once is meant for the new page.
    const isList = isListPage;
    const move = (step: number) => {
      const { length } = items.value ?? [];
      if (length > 0) moveCursor(cursorIndex() + step);
    };
    const current = () => (isList() ? items.value?.[cursorIndex()] : undefined);
    const sequences = commands.flatMap(({ keys, run }): Binding[] =>
      keys === undefined ? [] : [[keyOf(keys), () => run(latestRoute.current)]],
    );
    // The last key of a sequence can also be a shortcut, so sequences come first: only the first match is run.
    sequences.sort(([a], [b]) => b.split(' ').length - a.split(' ').length);
    const moves: Binding[] = [
      ['j', () => move(1)],
      ['k', () => move(-1)],
      ['ArrowDown', () => move(1)],
      ['ArrowUp', () => move(-1)],
    ];
    const readerMoves: Binding[] = [
      ['j', () => tellReader('next')],
      ['k', () => press('#keep-highlight') || tellReader('previous')],
    ];
    const actions: Binding[] = [
      ...sequences,
      ['o', () => openCurrent(current()?.id)],
      [
        'x',
        () => {
          const item = current();
          if (item !== undefined) toggleSelected(item.id);
          else press('#dismiss-highlight');
        },
      ],
      ['s', () => void star(current())],
      ['m', () => void mark(current())],
      [keyOf('#'), () => void remove(isList(), current()?.id)],
      ['e', () => editTags(isList(), current()?.id)],
      ['h', () => tellReader('highlight')],
      ['u', () => history.back()],
      [
        'Escape',
        () => {
          // The first Escape leaves the search field, the second clears it.
          if (selection.value.size === 0 && isList() && query.value !== '') setQuery('', latestRoute.current);
          clearSelection();
        },
      ],
    ];
    const isRepeated = (event: KeyboardEvent) => event.repeat || isIgnored(event);
    const stops = [
      // Elsewhere the arrows scroll the page.
      ...moves.map((binding) => listen(binding, (event) => !isList() || isIgnored(event))),
      ...readerMoves.map((binding) => listen(binding, (event) => isList() || isRepeated(event))),
      // The browser closes an open menu with Escape, unless the key is taken.
      ...actions.map((binding) => listen(binding, (event) => isRepeated(event) || isMenuOpen())),
      listen(['$mod+k', togglePalette], ({ repeat }) => repeat),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, []);
}

/** The help's spelling of keys, as the library reads it. Some keyboards need Shift for a sign, and others do not. */
function keyOf(keys: string): string {
  return keys.replace(/^[^\w\s]/, '[Shift]+$&');
}

/** Milliseconds between two keys of a sequence: a busy machine may take long to tell of them. */
const SEQUENCE_TIMEOUT_MS = 3_000;

/**
 * Runs a binding unless another one took the key.
 * Each has its own listener, because every binding has to see every key.
 */
function listen([keys, run]: Binding, ignore: (event: KeyboardEvent) => boolean): () => void {
  const take = (event: KeyboardEvent) => {
    if (event.defaultPrevented) return;
    event.preventDefault();
    run();
  };
  return tinykeys(window, { [keys]: take }, { ignore, timeout: SEQUENCE_TIMEOUT_MS });
}

/** Whether the keys are not the app's: in a field, and while a dialog is open, wherever its focus is. */
function isIgnored(event: KeyboardEvent): boolean {
  const { isComposing } = event;
  // The editor of notes is in a shadow, outside of which its host is the target.
  const [target] = event.composedPath();
  if (isComposing || isSignedOut.value || document.querySelector('dialog[open]') !== null) return true;
  const fields = 'input:not([type="checkbox"]), textarea, select, [contenteditable="true"]';
  return target instanceof Element && target.matches(fields);
}

function isMenuOpen(): boolean {
  return document.querySelector(':popover-open') !== null;
}

function togglePalette(): void {
  if (isSignedOut.value) return;
  isPaletteOpen.value = !isPaletteOpen.value;
}

function openCurrent(id: string | undefined): void {
  if (id !== undefined)
    document.querySelector<HTMLElement>(`a.row-title[href^="${CSS.escape(memoryAddress(id, ''))}"]`)?.click();
}

async function star(item: Item | undefined): Promise<void> {
  if (item === undefined) press('#star');
  else await succeeds(starMemories([item.id], !item.starred));
}

async function mark(item: Item | undefined): Promise<void> {
  if (item === undefined) press('#mark-read');
  else await succeeds(markMemories([item.id], item.readState === 'read' ? 'unread' : 'read'));
}

/** Presses a button of the page. Returns whether there is one. */
function press(selector: string): boolean {
  const button = document.querySelector<HTMLElement>(selector);
  button?.click();
  return button !== null;
}

/** The page of a memory handles the key. */
function tellReader(action: 'delete' | 'highlight' | 'next' | 'previous'): void {
  dispatchEvent(new CustomEvent('recollect-reader', { detail: action }));
}

async function remove(isList: boolean, id: string | undefined): Promise<void> {
  if (!isList) tellReader('delete');
  else if (selection.value.size > 0) await deleteSelected();
  else if (id !== undefined) {
    const place = cursorIndex();
    const deleted = succeeds(deleteMemories([id]));
    keepPlace(place);
    await deleted;
  }
}

function editTags(isList: boolean, id: string | undefined): void {
  if (!isList) {
    press('#edit-tags');
    return;
  }
  if (selection.value.size > 0) askToAddTags(selected());
  else if (id !== undefined) askToAddTags([id]);
}
