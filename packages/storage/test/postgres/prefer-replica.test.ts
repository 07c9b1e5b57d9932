import { expect, test } from 'vitest';
import type { Searches } from '../../src/dialect.js';
import { preferReplica } from '../../src/postgres/prefer-replica.js';

/** Searches that only say where they were done. */
function searchesAt(place: string, isAway = () => false) {
  const frequencies = async () => {
    if (isAway()) throw new Error('away');
    return { total: 0, counts: [place] };
  };
  return { textIndex: { frequencies }, vectorIndex: {}, hybridIndex: {} } as unknown as Searches;
}

test('REL-23: searches on the replica only once it has all changes of the user', async () => {
  let isAway = false;
  const behind = new Set(['bob']);
  const isCaughtUp = async (userId: string) => !behind.has(userId);
  const { textIndex } = preferReplica(
    searchesAt('primary'),
    searchesAt('replica', () => isAway),
    isCaughtUp,
  );
  const placeOf = async (userId: string) => (await textIndex.frequencies(userId, [])).counts[0];
  expect([await placeOf('ann'), await placeOf('bob')]).toEqual(['replica', 'primary']);
  behind.clear();
  expect(await placeOf('bob')).toBe('replica');
  isAway = true;
  expect(await placeOf('ann')).toBe('primary');
  // It failed a moment ago, so it is not asked.
  isAway = false;
  expect(await placeOf('ann')).toBe('primary');
});
