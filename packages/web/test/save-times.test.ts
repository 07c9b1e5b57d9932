import fc from 'fast-check';
import { expect, test } from 'vitest';
import { saveTimes } from '../src/app/state/save-times.js';

/** An id that was created at a time. */
function idAt(time: number): string {
  const digits = time.toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-7abc-8def-0123456789ab`;
}

const cli = { client: 'cli', name: null, key: null } as const;
const extension = { client: 'extension', name: null, key: null } as const;
const now = Date.parse('2026-11-20T12:00:00Z');

test('tells the time of an import from the date of the original', () => {
  const capturedAt = '2026-08-20T10:00:00.000Z';
  const savedAt = new Date(now).toISOString();
  expect(saveTimes({ id: idAt(now), capturedAt, savedBy: cli })).toEqual({ savedAt, isLater: true, isImport: true });
  expect(saveTimes({ id: idAt(now), capturedAt, savedBy: extension })).toMatchObject({ savedAt, isImport: false });
  expect(saveTimes({ id: idAt(now), capturedAt, savedBy: null })).toMatchObject({ isLater: true, isImport: false });
});

test('shows the time of the capture if it was saved within a day, was captured later, or has another kind of id', () => {
  const capturedAt = new Date(now).toISOString();
  const expected = { savedAt: capturedAt, isLater: false, isImport: false };
  fc.assert(
    fc.property(fc.integer({ min: 0, max: now + 86_400_000 }), (time) => {
      expect(saveTimes({ id: idAt(time), capturedAt, savedBy: cli })).toEqual(expected);
    }),
  );
  expect(saveTimes({ id: 'ffffffff-ffff-4fff-8fff-ffffffffffff', capturedAt, savedBy: cli })).toEqual(expected);
});
