import type { Item } from '../state/library.js';

/** The share of a score from which a signal counts as a reason. */
const REASON = 0.2;

/** Why a search found a memory. Empty in lists. */
export function explainMatch({
  match,
}: {
  match?: Pick<NonNullable<Item['match']>, 'text' | 'meaning'> | undefined;
}): string {
  if (match === undefined) return '';
  const [byWords, byMeaning] = [match.text >= REASON, match.meaning >= REASON];
  if (byWords && byMeaning) return 'by words and meaning';
  if (byWords) return 'by words';
  return byMeaning ? 'by meaning' : '';
}
