import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeCursor, encodeCursor } from '../src/memories/cursor.js';

const instant = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString());

test('MEM-1: decodes a cursor to the position it was made from', () => {
  fc.assert(
    fc.property(instant, fc.uuid(), (capturedAt, id) => {
      expect(decodeCursor(encodeCursor({ capturedAt, id }))).toEqual({ capturedAt, id });
    }),
  );
});

test('MEM-1: any other text decodes to a valid position or is rejected with a message', () => {
  const anything = fc.oneof(
    fc.string(),
    fc.string({ unit: fc.constantFrom(...'0123456789abcz-._'), maxLength: 60 }),
    fc.tuple(fc.string({ maxLength: 12 }), fc.uuid()).map((parts) => parts.join('.')),
  );
  fc.assert(
    fc.property(anything, (text) => {
      try {
        const { capturedAt } = decodeCursor(text);
        expect(new Date(capturedAt).toISOString()).toBe(capturedAt);
      } catch (error) {
        expect(error).toMatchObject({
          name: 'RecollectError',
          code: 'VALIDATION_FAILED',
          errors: [{ pointer: '/cursor' }],
        });
      }
    }),
    { numRuns: 2_000 },
  );
});
