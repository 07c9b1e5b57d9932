import { effect, signal } from '@preact/signals';
import type { CountsAnswer } from '@recollect/contract';
import { joinQuery, type Operator, type OperatorName, splitQuery } from '@recollect/contract/query-syntax';
import { client } from '../api/client.js';
import { onChanges } from '../api/events.js';
import { type Item, items } from '../state/library.js';
import { listedQuery, search } from '../state/load-list.js';
import { tagList } from '../state/tags.js';
import { countItems } from './count-items.js';

/** Milliseconds without another list before its memories are counted. */
const DEBOUNCE_MS = 120;

/** Milliseconds from one count after a change to the next: changes arrive in bursts. */
const CHANGE_PAUSE = 1_000;

/** The counts of all memories, from which operators are completed. Null before they were read. */
export const allCounts = signal<CountsAnswer | null>(null);
/** The counts of the memories that are listed. Null before they were read. */
export const listedCounts = signal<CountsAnswer | null>(null);

let timer: ReturnType<typeof setTimeout> | undefined;
/** When memories were counted last, by the clock of the page. */
let countedAt = -Infinity;

/** Keeps the counts up to date with the list, until the returned function is called. */
export function followCounts(): () => void {
  const stops = [
    effect(() => {
      const asked = listedQuery.value;
      // The server counts a whole list, even if only a part of it was loaded.
      const listed = splitQuery(asked ?? '').words === '' ? [] : items.value;
      if (asked !== null && listed !== null) later(DEBOUNCE_MS, () => count(asked, listed));
    }),
    onChanges(() => {
      allCounts.value = null;
      const asked = listedQuery.peek();
      const pause = performance.now() - countedAt > CHANGE_PAUSE ? DEBOUNCE_MS : CHANGE_PAUSE;
      if (asked !== null) later(pause, () => count(asked, items.peek() ?? []));
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** Reads the counts of all memories and all tags, unless they are known. */
export async function loadAllCounts(): Promise<void> {
  if (allCounts.value !== null) return;
  const reading = [client('countMemories', { query: {} }), tagList.load()] as const;
  const [counts] = await Promise.all(reading).catch(() => [null]);
  allCounts.value = counts;
}

function later(pause: number, work: () => Promise<void>): void {
  clearTimeout(timer);
  timer = setTimeout(() => void work().catch(() => {}), pause);
}

async function count(asked: string, listed: readonly Item[]): Promise<void> {
  countedAt = performance.now();
  const { operators, words } = splitQuery(asked);
  const counts = await (words === ''
    ? client('countMemories', { query: { filter: joinQuery(operators, '') } })
    : countResults(operators, words, listed));
  if (listedQuery.peek() === asked) listedCounts.value = counts;
}

/**
 * Counts the results of a search.
 * Like the server for a list, also counts the values that could replace the chosen values.
 */
async function countResults(
  operators: readonly Operator[],
  words: string,
  listed: readonly Item[],
): Promise<CountsAnswer> {
  const counts = countItems(listed);
  const without = async (...names: readonly OperatorName[]) => {
    const others = operators.filter(({ name, isExcluded }) => isExcluded || !names.includes(name));
    return others.length === operators.length ? counts : countItems((await search(joinQuery(others, words))).strong);
  };
  const [source, site, time] = await Promise.all([without('source'), without('site'), without('after', 'before')]);
  return { ...counts, sourceTypes: source.sourceTypes, sites: site.sites, months: time.months };
}
