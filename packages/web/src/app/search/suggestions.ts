import type { CountsAnswer, TagList } from '@recollect/contract';
import {
  excludable,
  formatOperator,
  type OperatorName,
  operatorNames,
  states,
  unfinishedOperator,
} from '@recollect/contract/query-syntax';
import { clients, sourceTypes } from '@recollect/contract/vocabulary';

/** Completions offered at a time. */
const MAX_TAGS = 100;

/**
 * The tags that contain a typed text, the frequent ones first.
 *
 * @example
 * completeTags('la', tags); // ['lamp', 'old lamps']
 */
export function completeTags(typed: string, tags: readonly Pick<TagList['tags'][number], 'tag'>[]): string[] {
  const part = typed.trim().toLowerCase();
  return tags
    .filter(({ tag }) => tag.toLowerCase().includes(part))
    .slice(0, MAX_TAGS)
    .map(({ tag }) => tag);
}

export interface Suggestion {
  /** The text that replaces the word or the operator that is being typed. */
  text: string;
  label: string;
  count?: number | undefined;
  /** Whether it is a whole operator, which becomes a chip. Otherwise it is only its name. */
  isComplete: boolean;
  /** Whether it was searched for before. */
  isRecent?: boolean;
}

/** Suggestions shown at a time. */
const MAX_SUGGESTIONS = 8;
const HINTS: Readonly<Record<OperatorName, string>> = {
  tag: 'tag:',
  site: 'site:',
  source: 'source:',
  after: 'after:2026-01-31',
  before: 'before:2026-01-31',
  by: 'by:',
  is: 'is:unread',
};

/**
 * Completes an operator at the end of a query: its name, or a value that exists. The counts only have the most frequent
 * values, so tags come from a separate list.
 *
 * @example
 * suggest('green ta', counts, tags); // [{ text: 'tag:', … }]
 */
export function suggest(
  words: string,
  counts: CountsAnswer | null,
  tags: readonly Pick<TagList['tags'][number], 'tag' | 'memories'>[] | null,
): Suggestion[] {
  const operator = unfinishedOperator(words);
  if (operator === null) {
    const [, minus = '', last = ''] = /^(-?)(.*)/s.exec(words.slice(startOfLastWord(words)).toLowerCase()) ?? [];
    const names = minus === '' ? operatorNames : excludable;
    return names
      .filter((known) => last.length >= 2 && known.startsWith(last))
      .map((known) => ({ text: `${minus}${known}:`, label: `${minus}${HINTS[known]}`, isComplete: false }));
  }
  const typed = operator.value.toLowerCase();
  const ranked = valuesOf(operator.name, counts, tags)
    .filter(({ value }) => value.toLowerCase().includes(typed))
    .sort((a, b) => Number(b.value.toLowerCase().startsWith(typed)) - Number(a.value.toLowerCase().startsWith(typed)));
  return ranked.slice(0, MAX_SUGGESTIONS).map(({ value, count }) => {
    const text = formatOperator({ ...operator, value });
    return { text, label: text, count, isComplete: true };
  });
}

/** Operators that an empty field offers. */
const FIRST: readonly Suggestion[] = [
  { text: 'tag:', label: 'tag:', isComplete: false },
  { text: 'site:', label: 'site:', isComplete: false },
  { text: 'after:', label: 'after:', isComplete: false },
  { text: 'is:unread', label: 'is:unread', isComplete: true },
];

/** The suggestions for an empty field: the latest searches, and some operators. */
export function suggestFirst(recent: readonly string[]): Suggestion[] {
  return [...recent.map((text) => ({ text, label: text, isComplete: true, isRecent: true })), ...FIRST];
}

/** Replaces the word or the operator at the end of a query by a suggestion. */
export function complete(words: string, { text }: Suggestion): string {
  return words.slice(0, unfinishedOperator(words)?.start ?? startOfLastWord(words)) + text;
}

/** Where the last word begins. */
function startOfLastWord(words: string): number {
  return words.search(/(?<!\S)\S*$/);
}

function valuesOf(
  name: OperatorName,
  counts: CountsAnswer | null,
  tags: readonly Pick<TagList['tags'][number], 'tag' | 'memories'>[] | null,
): { value: string; count?: number }[] {
  switch (name) {
    case 'tag':
      return (tags ?? []).map(({ tag, memories }) => ({ value: tag, count: memories }));
    case 'site':
      return counts?.sites ?? [];
    case 'source':
      return counts?.sourceTypes ?? sourceTypes.map((value) => ({ value }));
    case 'is':
      return states.map((value) => ({ value }));
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
