import {
  measureElement,
  observeWindowOffset,
  observeWindowRect,
  Virtualizer,
  type VirtualizerOptions,
  windowScroll,
} from '@tanstack/virtual-core';
import type { RefObject } from 'preact';
import { useLayoutEffect, useReducer, useState } from 'preact/hooks';

/** Rows that are rendered before and after the visible ones. */
const OVERSCAN = 6;
/** The usual height of a row, in pixels, until it is measured. */
const ROW_HEIGHT = 108;

interface Options {
  count: number;
  /** Must be the same function while the list is the same: with another one, all rows are laid out again. */
  keyOf: (index: number) => string;
  /** The element that contains the rows. */
  list: RefObject<HTMLElement | null>;
}

/** Renders only the rows of a long list that are near the visible part of the window. */
export function useVirtualList({ count, keyOf, list }: Options): Virtualizer<Window, HTMLElement> {
  const [, rerender] = useReducer((version: number) => version + 1, 0);
  const options: VirtualizerOptions<Window, HTMLElement> = {
    count,
    getScrollElement: () => window,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: keyOf,
    overscan: OVERSCAN,
    scrollMargin: list.current?.offsetTop ?? 0,
    initialOffset: () => window.scrollY,
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
