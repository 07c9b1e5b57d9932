import { splitQuery } from '@recollect/contract/query-syntax';
import { useEffect } from 'preact/hooks';
import { type Item, items } from '../state/library.js';
import { listedQuery, loadMore } from '../state/load-list.js';
import { memoryAddress } from '../state/query.js';

/** The addresses of the memories before and after one in the list that it was opened from; null if there is none. */
export function useNeighbours(id: string): { previous: string | null; next: string | null } {
  const listed = items.value ?? [];
  const at = listed.findIndex((item) => item.id === id);
  const { words } = splitQuery(listedQuery.value ?? '');
  const addressOf = (item: Item | undefined) =>
    at < 0 || item === undefined ? null : memoryAddress(item.id, words, item.match?.passage);
  const isLast = at >= 0 && at === listed.length - 1;
  useEffect(() => {
    if (isLast) void loadMore();
  }, [isLast]);
  return { previous: addressOf(listed[at - 1]), next: addressOf(listed[at + 1]) };
}
