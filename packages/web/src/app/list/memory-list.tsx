import { useSignalEffect } from '@preact/signals';
import { isStrong } from '@recollect/contract/shown-results';
import { dayHeading } from '@recollect/ui/dates';
import type { VirtualItem } from '@tanstack/virtual-core';
import type { RefObject } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type LocationHook, useLocation } from 'preact-iso/router';
import { loadPage } from '../api/client.js';
import { startDrag } from '../state/drag-memories.js';
import { type Item, nextCursor } from '../state/library.js';
import { listedQuery, listedSort, loadMore } from '../state/load-list.js';
import { view, type views } from '../state/looks.js';
import {
  cursor,
  cursorIndex,
  isSelecting,
  isWholeList,
  moveCursor,
  refocus,
  selection,
  toggleSelected,
} from '../state/selection.js';
import { NARROW, useMedia } from '../state/use-media.js';
import { MemoryCard } from './memory-card.js';
import { MemoryRow } from './memory-row.js';
import { ROW_HEIGHT, useVirtualList } from './use-virtual-list.js';

/** Rows before the end of the list at which its next page is read. */
const ROWS_BEFORE_NEXT_PAGE = 40;

interface Props {
  memories: readonly Item[];
  /** The words that are marked. */
  words: string;
  /** Whether they are the results of a search, which are rows in their own order. */
  isRanked: boolean;
}

/** Where the list was when it was left. */
interface Place {
  /** The list of the position. */
  list: string;
  /** The scroll position, in pixels. */
  offset: number;
  /** The pixels before the list. */
  margin: number;
  /** The memory at the top of the window, and the pixels of its row that were above it: others may come before it. */
  top: { id: string; hidden: number } | null;
  /** The heights of the rows. */
  measured: VirtualItem[];
  /** The memory with the focus, and its position. */
  focused: string | null;
  index: number;
}

let leftAt: Place | null = null;

/** A list of memories of any length. */
export function MemoryList({ memories, words, isRanked }: Props) {
  const shown = isRanked && view.value === 'cards' ? 'comfortable' : view.value;
  // Another view has other rows.
  return <VirtualList key={shown} memories={memories} words={words} isRanked={isRanked} shown={shown} />;
}

function VirtualList({ memories, words, isRanked, shown }: Props & { shown: (typeof views)[number] }) {
  // The router's types leave it out: whether a link led here, and not Back or Forward.
  const { wasPush } = useLocation() as LocationHook & { wasPush: boolean };
  const list = useRef<HTMLUListElement>(null);
  // Back from a memory, or after it was deleted, the list is where it was left.
  const [place] = useState(() => (!wasPush && leftAt?.list === nameOf(shown) ? follow(leftAt, memories) : null));
  const { perRow, rowHeight } = useGrid(list, shown);
  const virtualizer = useVirtualList({
    count: Math.ceil(memories.length / perRow),
    rowHeight,
    keyOf: useCallback((row: number) => memories[row * perRow]?.id ?? '', [memories, perRow]),
    measured: place?.measured ?? [],
    offset: place?.offset ?? window.scrollY,
    list,
  });
  const rows = virtualizer.getVirtualItems();
  const isNarrow = useMedia(NARROW);
  const lastShown = ((rows.at(-1)?.index ?? 0) + 1) * perRow;

  useEffect(() => {
    if (nextCursor.value !== null && lastShown > memories.length - ROWS_BEFORE_NEXT_PAGE) void loadMore();
  }, [lastShown, memories.length]);

  // A key moved the cursor: its row may have to be rendered before it can be focused. Where the list was left, it does
  // not move for that.
  const awaited = useRef<'anywhere' | 'in place' | null>(null);
  const answered = useRef(useState(() => refocus.peek())[0]);
  const focusRow = () => {
    // The cursor may have moved since.
    const row = list.current?.querySelector<HTMLElement>(`[data-index="${cursorIndex()}"] .row-title`);
    const preventScroll = awaited.current === 'in place';
    if (awaited.current === null || (row == null && !(preventScroll && rows.length > 0))) return;
    awaited.current = null;
    row?.focus({ preventScroll });
  };
  useSignalEffect(() => {
    // Only a request moves the focus: the cursor also follows it.
    if (refocus.value === answered.current) return;
    answered.current = refocus.value;
    const index = cursorIndex();
    awaited.current = index < 0 ? null : 'anywhere';
    if (index < 0) return;
    virtualizer.scrollToIndex(Math.floor(index / perRow), { align: 'auto' });
    focusRow();
  });

  useLayoutEffect(() => {
    // The browser would go to a former offset.
    history.scrollRestoration = 'manual';
    if (place !== null) window.scrollTo(0, place.offset);
    cursor.value = place?.focused ?? null;
    // Deleted in the reader: focus its successor.
    if (cursor.value !== null && cursorIndex() < 0) moveCursor(place?.index ?? 0);
    else if (cursor.value !== null) awaited.current = 'in place';
    return () => {
      history.scrollRestoration = 'auto';
      // The window has moved by now: the next page was put before the list, and the browser kept the rows in view.
      const offset = virtualizer.scrollOffset ?? 0;
      const top = virtualizer.getVirtualItemForOffset(offset);
      leftAt = {
        list: nameOf(shown),
        offset,
        margin: virtualizer.options.scrollMargin,
        top: top === undefined ? null : { id: `${top.key}`, hidden: offset - top.start },
        measured: virtualizer.takeSnapshot(),
        focused: cursor.peek(),
        index: cursorIndex(),
      };
    };
  }, []);

  useLayoutEffect(focusRow);
  useEffect(() => {
    const element = list.current;
    if (element !== null && matchMedia('(any-pointer: coarse)').matches)
      void loadPage(() => import('./touch-rows.js')).then(({ touchRows }) => touchRows(element));
  }, []);

  const start = (rows[0]?.start ?? 0) - virtualizer.options.scrollMargin;
  const count = nextCursor.value === null ? memories.length : -1;
  const isSelected = (id: string) => isWholeList.value || selection.value.has(id);
  const isByTime = !isRanked && (listedSort.value === 'newest' || listedSort.value === 'oldest');
  const names = ['memories', shown, isSelecting.value && 'selecting'].filter(Boolean).join(' ');
  if (shown === 'cards') {
    const first = (rows[0]?.index ?? 0) * perRow;
    return (
      <ul
        ref={list}
        aria-label="Memories"
        onDragStart={startDrag}
        class={names}
        style={{ blockSize: `${virtualizer.getTotalSize()}px`, paddingBlockStart: `${Math.max(0, start)}px` }}
      >
        {memories.slice(first, lastShown).map((memory, at) => (
          <MemoryCard
            key={memory.id}
            memory={memory}
            index={first + at}
            count={count}
            isSelected={isSelected(memory.id)}
            onSelect={(extend) => toggleSelected(memory.id, { extend })}
          />
        ))}
      </ul>
    );
  }
  return (
    <ul
      ref={list}
      aria-label="Memories"
      onDragStart={startDrag}
      class={names}
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
            count={count}
            offset={place === 0 ? start : 0}
            heading={isByTime ? dayOf(memories, index) : isRanked ? strengthOf(memories, index) : null}
            words={words}
            isNarrow={isNarrow}
            isCompact={shown === 'compact'}
            isSelected={isSelected(memory.id)}
            measure={virtualizer.measureElement}
          />
        );
      })}
    </ul>
  );
}

/** Which list is shown, and how. */
const nameOf = (shown: string) => [listedQuery.peek(), listedSort.peek(), shown].join('\n');

/** The same place among memories that may have changed since. */
function follow(place: Place, memories: readonly Item[]): Place {
  const index = memories.findIndex(({ id }) => id === place.top?.id);
  // At the top, the list keeps showing new memories.
  if (place.top === null || index < 0 || place.offset <= place.margin) return place;
  const heights = new Map(place.measured.map(({ key, size }) => [key, size]));
  const before = memories.slice(0, index).reduce((sum, { id }) => sum + (heights.get(id) ?? ROW_HEIGHT), 0);
  return { ...place, offset: place.margin + before + place.top.hidden };
}

/** The heading over the first result that is weaker. */
function strengthOf(memories: readonly Item[], index: number): string | null {
  const isWeaker = ({ score = 1 }: Item) => !isStrong({ score });
  const [before, memory] = [memories[index - 1], memories[index]];
  if (memory === undefined || !isWeaker(memory)) return null;
  return before === undefined || !isWeaker(before) ? 'Weaker matches' : null;
}

/** The heading of a day, over its first memory. */
function dayOf(memories: readonly Item[], index: number): string | null {
  const [before, memory] = [memories[index - 1], memories[index]];
  if (memory === undefined) return null;
  const heading = dayHeading(memory.capturedAt);
  return before !== undefined && dayHeading(before.capturedAt) === heading ? null : heading;
}

/** The usual height of a compact row, and the width and height of a card with its gap, in rem as in the style sheet. */
const COMPACT_ROW_REM = 2.125;
const CARD_REM = { width: 15, height: 16, gap: 1 };

/**
 * How many memories are in a row of a view, and how high a row is in pixels. A wider window has more cards in a row.
 */
function useGrid(list: RefObject<HTMLElement | null>, shown: (typeof views)[number]) {
  const [perRow, setPerRow] = useState(1);
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  useLayoutEffect(() => {
    const element = list.current;
    if (shown !== 'cards' || element === null) return;
    const measure = () => {
      const width = element.clientWidth / rem;
      setPerRow(Math.max(1, Math.floor((width + CARD_REM.gap) / (CARD_REM.width + CARD_REM.gap))));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [shown]);
  if (shown === 'cards') return { perRow, rowHeight: CARD_REM.height * rem };
  return { perRow: 1, rowHeight: shown === 'compact' ? COMPACT_ROW_REM * rem : ROW_HEIGHT };
}
