import { isStrong } from '@recollect/contract/shown-results';
import { count } from '@recollect/contract/text';
import type { Memory } from '@recollect/core';
import { webAddress } from '../quoting/inert-text.js';
import { type Circumstances, NOTICE, type Quoted, quote, titleOf } from '../quoting/quote.js';

/** A memory as an item of a list, with a framed excerpt, and the headings or the comment that it is from. */
export function toListItem(
  memory: Quoted & Pick<Memory, 'id'>,
  excerpt: string,
  { sections = [], comment }: Pick<Circumstances, 'sections' | 'comment'> = {},
) {
  return {
    id: memory.id,
    title: titleOf(memory),
    text: quote(memory, excerpt, { sections, comment, isListed: true }),
    url: webAddress(memory.url),
    sourceType: memory.sourceType,
    savedAt: memory.capturedAt,
  };
}

const WEAKER = 'Weaker matches: these may have nothing to do with the question.';

/** A list of memories as text: their number and order, the notice, and each framed excerpt under its id. */
export function formatList(
  results: readonly { id: string; text: string; offset?: number; score?: number; versions?: number }[],
  { none, some }: { none: string; some: string },
): string {
  if (results.length === 0) return none;
  const firstWeaker = results.findIndex(({ score = 1 }) => !isStrong({ score }));
  return [
    `${count(results.length, 'memory', 'memories')}, ${some} ${NOTICE} To read a whole text, call fetch with its id; with the offset of an excerpt, it begins there.`,
    ...results.map(({ id, text, ...facts }, place) => {
      const heading = place === firstWeaker ? `${WEAKER}\n\n` : '';
      return `${heading}${place + 1}. id ${id}${describeMatch(facts)}\n${text}`;
    }),
  ].join('\n\n');
}

/** Where the excerpt begins, how well it matches, and of how many texts it is one. */
function describeMatch({
  offset = 0,
  score,
  versions = 1,
}: {
  offset?: number;
  score?: number;
  versions?: number;
}): string {
  return [
    score === undefined ? '' : `, score ${score.toFixed(2)}`,
    offset === 0 ? '' : `, offset ${offset}`,
    versions === 1 ? '' : ` (the best of ${versions} saved versions of this page; fetch names the others)`,
  ].join('');
}
