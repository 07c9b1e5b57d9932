import type { CountsAnswer } from '@recollect/contract';
import { siteOf } from '@recollect/contract/query-syntax';
import { isStrong } from '@recollect/contract/shown-results';
import type { Item } from '../state/library.js';

/** Counts the strong results of a search, which the server ranks and does not count. */
export function countItems(results: readonly Item[]): CountsAnswer {
  const listed = results.filter(({ score = 1 }) => isStrong({ score }));
  return {
    total: listed.length,
    sourceTypes: countBy(listed, ({ sourceType }) => [sourceType]),
    sites: countBy(listed, ({ url }) => [url === null ? null : siteOf(url)].filter((site) => site !== null)),
    tags: countBy(listed, ({ tags }) => tags),
    months: countBy(listed, ({ capturedAt }) => [capturedAt.slice(0, 7)]).sort((a, b) => (a.value < b.value ? 1 : -1)),
    keys: [],
    clients: [],
  };
}

function countBy(listed: readonly Item[], valuesOf: (item: Item) => readonly string[]): CountsAnswer['sites'] {
  const counts = new Map<string, number>();
  for (const item of listed) for (const value of valuesOf(item)) counts.set(value, (counts.get(value) ?? 0) + 1);
  return Array.from(counts, ([value, number]) => ({ value, count: number })).sort(
    (a, b) => b.count - a.count || (a.value < b.value ? -1 : 1),
  );
}
