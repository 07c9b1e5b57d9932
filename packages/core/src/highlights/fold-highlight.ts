import { foldWord } from '@recollect/contract/text';

/** A passage and its note in the form that is searched: without case and accents. */
export function foldHighlight(quote: string, note: string | null): string {
  return foldWord(`${quote}\n${note ?? ''}`);
}
