import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import type { views } from './list-settings.js';
import { ROW_HEIGHT } from './use-virtual-list.js';

/** The usual height of a compact row, and the width and height of a card with its gap, in rem as in the style sheet. */
const COMPACT = 2.125;
const CARD = { width: 15, height: 16, gap: 1 };

/**
 * How many memories are in a row of a view, and how high a row is in pixels. A wider window has more cards in a row.
 */
export function useGrid(list: RefObject<HTMLElement | null>, shown: (typeof views)[number]) {
  const [perRow, setPerRow] = useState(1);
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  useLayoutEffect(() => {
    const element = list.current;
    if (shown !== 'cards' || element === null) return;
    const measure = () => {
      const width = element.clientWidth / rem;
      setPerRow(Math.max(1, Math.floor((width + CARD.gap) / (CARD.width + CARD.gap))));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [shown]);
  if (shown === 'cards') return { perRow, rowHeight: CARD.height * rem };
  return { perRow: 1, rowHeight: shown === 'compact' ? COMPACT * rem : ROW_HEIGHT };
}
