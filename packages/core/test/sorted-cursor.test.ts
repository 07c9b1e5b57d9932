import { limits } from '@recollect/contract/limits';
import { sorts } from '@recollect/contract/vocabulary';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodePlace, encodePlace } from '../src/memories/cursor.js';

const instant = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString());
const keys = {
  newest: instant,
  oldest: instant,
  opened: fc.oneof(fc.constant(''), instant),
  title: fc.string({ unit: 'grapheme', maxLength: 100 }),
  longest: fc.nat(999_999_999),
};

test.each(sorts)('MEM-14: decodes a cursor of %s to the place it was made from, in no other order', (sort) => {
  fc.assert(
    fc.property(keys[sort], fc.uuid(), fc.constantFrom(...sorts), (key, id, other) => {
      const cursor = encodePlace(sort, { key, id });
      expect(cursor).toMatch(/^[\w.-]+$/);
      expect(decodePlace(sort, cursor)).toEqual({ key, id });
      if (other !== sort) expect(() => decodePlace(other, cursor)).toThrow('another order');
    }),
  );
});

test('MEM-14: a cursor is never longer than a request may have it', () => {
  // A store sorts by the first 100 characters of a title. Letters as in "bold" posts need most room.
  const key = '\u{1D5D5}'.repeat(100);
  expect(encodePlace('title', { key, id: crypto.randomUUID() }).length).toBeLessThan(limits.memories.cursorLength);
});

test('MEM-14: any other text is a place or is rejected with a message', () => {
  const anything = fc.oneof(
    fc.string(),
    fc
      .tuple(fc.constantFrom(...sorts, 'other'), fc.string({ maxLength: 12 }), fc.uuid())
      .map((parts) => parts.join('.')),
  );
  fc.assert(
    fc.property(fc.constantFrom(...sorts), anything, (sort, text) => {
      try {
        expect(decodePlace(sort, text).id).toMatch(/^[0-9a-f-]{36}$/);
      } catch (error) {
        expect(error).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ pointer: '/cursor' }] });
      }
    }),
    { numRuns: 2_000 },
  );
});
