import type { Memory } from '@recollect/core';
import { webAddress } from '../quoting/inert-text.js';
import { NOTICE, type Quoted, quote, titleOf } from '../quoting/quote.js';

/** A memory as one of a list: with an excerpt in a frame. */
export function listed(memory: Quoted & Pick<Memory, 'id'>, excerpt: string) {
  return {
    id: memory.id,
    title: titleOf(memory),
    text: quote(memory, excerpt),
    url: webAddress(memory.url),
    sourceType: memory.sourceType,
    savedAt: memory.capturedAt,
  };
}

/** Memories as a text to read: how many and in which order, what to do with them, and each in its frame under its id. */
export function listing(
  results: readonly { id: string; text: string }[],
  { none, some }: { none: string; some: string },
): string {
  if (results.length === 0) return none;
  const count = results.length === 1 ? '1 memory' : `${results.length} memories`;
  return [
    `${count}, ${some} ${NOTICE} fetch with an id gives a whole text.`,
    ...results.map(({ id, text }, place) => `${place + 1}. id ${id}\n${text}`),
  ].join('\n\n');
}
