import type { SearchTest } from '@recollect/contract';

/** What the kinds of questions are called. */
export const MADE_OF: Readonly<Record<SearchTest['kinds'][number]['kind'], string>> = {
  titles: 'titles',
  sentences: 'words of sentences',
  highlights: 'highlights',
};

export const NOTHING_TO_ASK = 'There is nothing to ask for yet. Save something first.';

/** A share in per cent, padded for a column. */
export function share(part: number, whole: number): string {
  return `${Math.round((100 * part) / whole)} %`.padStart(5);
}
