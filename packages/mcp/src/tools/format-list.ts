import { count } from '@recollect/contract/text';
import type { Memory } from '@recollect/core';
import { webAddress } from '../quoting/inert-text.js';
import { NOTICE, type Quoted, quote, titleOf } from '../quoting/quote.js';

/** A memory as an item of a list, with a framed excerpt. */
export function toListItem(memory: Quoted & Pick<Memory, 'id'>, excerpt: string) {
  return {
    id: memory.id,
    title: titleOf(memory),
    text: quote(memory, excerpt),
    url: webAddress(memory.url),
    sourceType: memory.sourceType,
    savedAt: memory.capturedAt,
  };
}

/** A list of memories as text: their number and order, the notice, and each framed excerpt under its id. */
export function formatList(
  results: readonly { id: string; text: string }[],
  { none, some }: { none: string; some: string },
): string {
  if (results.length === 0) return none;
  return [
    `${count(results.length, 'memory', 'memories')}, ${some} ${NOTICE} To read a whole text, call fetch with its id.`,
    ...results.map(({ id, text }, place) => `${place + 1}. id ${id}\n${text}`),
  ].join('\n\n');
}
