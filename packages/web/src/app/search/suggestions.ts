import type { CountsAnswer, TagList } from '@recollect/contract';
import { clients, sourceTypes } from '@recollect/contract/vocabulary';
import { formatOperator, type Operator, type OperatorName, operatorNames } from './operators.js';

export interface Suggestion {
  /** What replaces the word that is being typed. */
  text: string;
  label: string;
  count?: number | undefined;
  /** Whether it is a whole operator, which becomes a chip. Otherwise it is only its name. */
  isComplete: boolean;
}

/** Suggestions shown at a time. */
const MOST = 8;
const HINTS: Readonly<Record<OperatorName, string>> = {
  tag: 'tag:',
  site: 'site:',
  source: 'source:',
  after: 'after:2026-01-31',
  before: 'before:2026-01-31',
  by: 'by:',
};

/**
 * Completes the last word of a query, if it begins an operator: its name, or a value that exists. The counts know the most frequent
 * values only, so tags have a list of their own.
 *
 * @example
 * suggest('green ta', counts, tags); // [{ text: 'tag:', … }]
 */
export function suggest(words: string, counts: CountsAnswer | null, tags: TagList['tags'] | null): Suggestion[] {
  const last = /(?:^|\s)(\S+)$/.exec(words)?.[1]?.toLowerCase() ?? '';
  if (last === '') return [];
  const [name = '', ...rest] = last.split(':');
  const operator = operatorNames.find((known) => known === name);
  if (rest.length === 0) {
    const names = operatorNames.filter((known) => last.length >= 2 && known.startsWith(last));
    return names.map((known) => ({ text: `${known}:`, label: HINTS[known], isComplete: false }));
  }
  if (operator === undefined) return [];
  const typed = rest.join(':').replaceAll('"', '');
  const ranked = valuesOf(operator, counts, tags)
    .filter(({ value }) => value.toLowerCase().includes(typed))
    .sort((a, b) => Number(b.value.toLowerCase().startsWith(typed)) - Number(a.value.toLowerCase().startsWith(typed)));
  return ranked.slice(0, MOST).map(({ value, count }) => {
    const text = formatOperator({ name: operator, value } satisfies Operator);
    return { text, label: text, count, isComplete: true };
  });
}

/** Replaces the last word of a query by a suggestion. */
export function complete(words: string, { text }: Suggestion): string {
  return words.replace(/\S+$/, () => text);
}

function valuesOf(
  name: OperatorName,
  counts: CountsAnswer | null,
  tags: TagList['tags'] | null,
): { value: string; count?: number }[] {
  switch (name) {
    case 'tag':
      return (tags ?? []).map(({ tag, memories }) => ({ value: tag, count: memories }));
    case 'site':
      return counts?.sites ?? [];
    case 'source':
      return counts?.sourceTypes ?? sourceTypes.map((value) => ({ value }));
    case 'by':
      return (
        counts?.clients.map(({ client, name: own, count }) => ({
          value: own === null ? client : `${client}:${own}`,
          count,
        })) ?? clients.map((value) => ({ value }))
      );
    default:
      return (counts?.months ?? []).map(({ value }) => ({ value }));
  }
}
