import { splitQuery } from '@recollect/contract/query-syntax';
import { type Place, places } from '@recollect/contract/vocabulary';
import type { IconName } from '@recollect/ui';
import { client } from '../api/client.js';
import { createResource } from './resource.js';

/** A place as the navigation and the actions show it. */
interface PlaceLabel {
  name: string;
  icon: IconName;
  /** The query that lists its memories. */
  query: string;
  /** The key that moves a memory there. */
  key: string;
}

export const placeLabels: Readonly<Record<Place, PlaceLabel>> = {
  inbox: { name: 'Inbox', icon: 'inbox', query: 'is:inbox', key: 'i' },
  later: { name: 'Later', icon: 'clock', query: 'is:later', key: 'l' },
  archive: { name: 'Archive', icon: 'archive', query: 'is:archive', key: 'a' },
};

/** How many memories are in each place. */
export const placeCounts = createResource(() => client('countPlaces', {}));

/**
 * The place that a query lists; null if it lists several or has other conditions.
 *
 * @example
 * listedPlace('is:inbox'); // 'inbox'
 */
export function listedPlace(query: string): Place | null {
  return places.find((place) => placeLabels[place].query === query.trim()) ?? null;
}

/** Whether memories leave the list of a query when they are moved to a place. */
export function leavesList(query: string, place: Place): boolean {
  const { operators } = splitQuery(query);
  const listed = operators.filter(({ name, value }) => name === 'is' && places.some((known) => known === value));
  const isListed = (value: string) => value === place;
  const included = listed.filter(({ isExcluded }) => !isExcluded);
  return (
    (included.length > 0 && !included.some(({ value }) => isListed(value))) ||
    listed.some(({ isExcluded, value }) => isExcluded && isListed(value))
  );
}
