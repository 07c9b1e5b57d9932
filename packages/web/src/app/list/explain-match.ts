import type { Item } from '../state/library.js';

/** The share of a score from which words count as a reason. */
const REASON = 0.2;

/** Why a search found a memory, where the marked words do not show it. Empty in lists. */
export function explainMatch({
  match,
}: {
  match?: Pick<NonNullable<Item['match']>, 'text' | 'meaning'> | undefined;
}): string {
  return match !== undefined && match.text < REASON && match.meaning > 0 ? 'by meaning' : '';
}
