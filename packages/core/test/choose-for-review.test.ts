import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chooseForReview } from '../src/highlights/choose-for-review.js';

const listed = fc
  .array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'))
  .map((memories) => memories.map((memoryId, id) => ({ id, memoryId })));

test('HLT-6: a memory gets another turn only once all others had theirs, and the order stays', () => {
  fc.assert(
    fc.property(listed, fc.nat(8), (all, most) => {
      const chosen = chooseForReview(all, most);
      expect(chosen).toHaveLength(Math.min(most, all.length));
      expect(chosen.map(({ id }) => id)).toEqual(chosen.map(({ id }) => id).sort((one, other) => one - other));
      const countOf = (items: typeof all, memoryId: string) => items.filter((it) => it.memoryId === memoryId).length;
      const largest = Math.max(0, ...chosen.map(({ memoryId }) => countOf(chosen, memoryId)));
      for (const { memoryId } of all)
        expect(countOf(chosen, memoryId)).toBeGreaterThanOrEqual(Math.min(countOf(all, memoryId), largest - 1));
      // The first highlights of each memory are chosen.
      for (const { id, memoryId } of chosen)
        expect(all.filter((it) => it.memoryId === memoryId && it.id < id).every((it) => chosen.includes(it))).toBe(
          true,
        );
    }),
  );
});
