import {
  measureElement,
  observeWindowOffset,
  observeWindowRect,
  type VirtualItem,
  Virtualizer,
  type VirtualizerOptions,
  windowScroll,
} from '@tanstack/virtual-core';
import type { RefObject } from 'preact';
import { useLayoutEffect, useReducer, useState } from 'preact/hooks';

/** Rows that are rendered before and after the visible ones. */
const OVERSCAN_ROWS = 6;
/** The usual height of a row, in pixels, until it is measured. */
export const ROW_HEIGHT = 76;

interface Options {
  count: number;
  /** The height of a row, in pixels, until it is measured. */
  rowHeight: number;
  /** Must be the same function while the list is the same: with another one, all rows are laid out again. */
  keyOf: (index: number) => string;
  /**
   * The rows that were measured before. Without their heights, a list that is shown again has other rows at an offset.
   */
  measured: VirtualItem[];
  /** Where the window will be scrolled to at first. */
  offset: number;
  /** The element that contains the rows. */
  list: RefObject<HTMLElement | null>;
}

/** Renders only the rows of a long list that are near the visible part of the window. */
export function useVirtualList({
  count,
  rowHeight,
  keyOf,
  measured,
  offset,
  list,
}: Options): Virtualizer<Window, HTMLElement> {
  const [, rerender] = useReducer((version: number) => version + 1, 0);
  const options: VirtualizerOptions<Window, HTMLElement> = {
    count,
    getScrollElement: () => window,
    estimateSize: () => rowHeight,
    getItemKey: keyOf,
    initialMeasurementsCache: measured,
    overscan: OVERSCAN_ROWS,
    scrollMargin: list.current?.offsetTop ?? 0,
    initialOffset: offset,
    observeElementRect: observeWindowRect,
    observeElementOffset: observeWindowOffset,
    scrollToFn: windowScroll,
    measureElement,
    onChange: () => rerender(undefined),
  };
  const [virtualizer] = useState(() => new Virtualizer(options));
  virtualizer.setOptions(options);
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => virtualizer._willUpdate());
  return virtualizer;
}
