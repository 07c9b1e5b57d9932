import { useSignalEffect } from '@preact/signals';
import { dayHeading } from '@recollect/ui/dates';
import type { VirtualItem } from '@tanstack/virtual-core';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type LocationHook, useLocation } from 'preact-iso/router';
import { type Item, items, nextCursor } from '../state/library.js';
import { loadMore } from '../state/load-list.js';
import { cursor, cursorIndex, isSelecting, isWholeList, moveCursor, refocus, selection } from '../state/selection.js';
import { MemoryRow } from './memory-row.js';
import { useVirtualList } from './use-virtual-list.js';

/** Rows before the end of the list at which its next page is read. */
const AHEAD = 40;

interface Props {
  memories: readonly Item[];
  /** The words that are marked. */
  words: string;
  /** Whether the list is in order of time, and is grouped by day. */
  isByTime: boolean;
}

/** Where the list was when it was left: the scroll position, the heights of its rows, and the memory with the focus. */
interface Place {
  first: string;
  offset: number;
  measured: VirtualItem[];
  focused: string | null;
  index: number;
}

let leftAt: Place = { first: '', offset: 0, measured: [], focused: null, index: -1 };

/** A list of memories of any length. */
export function MemoryList({ memories, words, isByTime }: Props) {
  // The router's types leave it out: whether a link led here, and not Back or Forward.
  const { wasPush } = useLocation() as LocationHook & { wasPush: boolean };
  const list = useRef<HTMLUListElement>(null);
  const first = memories[0]?.id ?? '';
  // Back from a memory, or after it was deleted, the list is where it was left.
  const [place] = useState(() => (!wasPush && leftAt.first === first ? leftAt : null));
  const virtualizer = useVirtualList({
    count: memories.length,
    keyOf: useCallback((index: number) => memories[index]?.id ?? '', [memories]),
    measured: place?.measured ?? [],
    offset: place?.offset ?? window.scrollY,
    list,
  });
  const rows = virtualizer.getVirtualItems();
  const lastRow = rows.at(-1)?.index ?? 0;

  useEffect(() => {
    if (nextCursor.value !== null && lastRow > memories.length - AHEAD) void loadMore();
  }, [lastRow, memories.length]);

  useLayoutEffect(() => {
    if (place !== null) window.scrollTo(0, place.offset);
    cursor.value = place?.focused ?? null;
    // It was deleted on its own page: the one that took its place.
    if (cursor.value !== null && cursorIndex() < 0) moveCursor(place?.index ?? 0);
    else if (cursor.value !== null) refocus.value += 1;
    return () => {
      leftAt = {
        first: items.peek()?.[0]?.id ?? '',
        offset: window.scrollY,
        measured: virtualizer.takeSnapshot(),
        focused: cursor.peek(),
        index: cursorIndex(),
      };
    };
  }, []);

  // A key moved the cursor: its row may have to be rendered before it can be focused.
  const isFocusAwaited = useRef(false);
  const focusRow = () => {
    // The cursor may have moved on meanwhile.
    const row = list.current?.querySelector<HTMLElement>(`[data-index="${cursorIndex()}"] .row-title`);
    if (!isFocusAwaited.current || row == null) return;
    isFocusAwaited.current = false;
    row.focus();
  };
  useSignalEffect(() => {
    // Only a request moves the focus: the cursor also follows it.
    const index = refocus.value > 0 ? cursorIndex() : -1;
    isFocusAwaited.current = index >= 0;
    if (index < 0) return;
    virtualizer.scrollToIndex(index, { align: 'auto' });
    focusRow();
  });
  useLayoutEffect(focusRow);

  const start = (rows[0]?.start ?? 0) - virtualizer.options.scrollMargin;
  return (
    <ul
      ref={list}
      aria-label="Memories"
      class={isSelecting.value ? 'memories selecting' : 'memories'}
      style={{ blockSize: `${virtualizer.getTotalSize()}px` }}
    >
      {rows.map(({ index, key }, place) => {
        const memory = memories[index];
        if (memory === undefined) return null;
        return (
          <MemoryRow
            key={key}
            memory={memory}
            index={index}
            count={nextCursor.value === null ? memories.length : -1}
            offset={place === 0 ? start : 0}
            day={isByTime ? dayOf(memories, index) : null}
            words={words}
            isSelected={isWholeList.value || selection.value.has(memory.id)}
            measure={virtualizer.measureElement}
          />
        );
      })}
    </ul>
  );
}

/** The heading of a day, over its first memory. */
function dayOf(memories: readonly Item[], index: number): string | null {
  const [before, memory] = [memories[index - 1], memories[index]];
  if (memory === undefined) return null;
  const heading = dayHeading(memory.capturedAt);
  return before !== undefined && dayHeading(before.capturedAt) === heading ? null : heading;
}
