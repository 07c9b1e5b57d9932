import type { PageHighlight } from './messages.js';

export interface Marks {
  /** Shows passages instead of those before. */
  show(passages: readonly { range: Range; colour: PageHighlight['colour'] }[]): void;
}

/** Whether this browser can mark text without a change of the page. */
export function canMark(): boolean {
  return typeof CSS !== 'undefined' && 'highlights' in CSS;
}

/** Marks passages by the CSS Custom Highlight API, which changes no element of the page. */
export function createMarks(): Marks {
  const names = new Set<string>();
  return {
    show(passages) {
      for (const name of names) CSS.highlights.delete(name);
      names.clear();
      for (const { range, colour } of passages) {
        const name = `recollect-${colour}`;
        const ranges = CSS.highlights.get(name);
        if (names.has(name) && ranges !== undefined) ranges.add(range);
        else CSS.highlights.set(name, new Highlight(range));
        names.add(name);
      }
    },
  };
}
