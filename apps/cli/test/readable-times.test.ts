import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readableTimes } from '../src/commands/doctor/index.js';

beforeEach(() => {
  vi.stubEnv('TZ', 'Europe/Berlin');
});
afterEach(() => vi.unstubAllEnvs());

const now = new Date('2026-11-29T12:00:00Z');

test.each([
  ['of 2026-11-29T13:03:00Z.', 'of today, 14:03.'],
  ['of 2026-11-28T23:30:00.123456789Z.', 'of today, 00:30.'],
  ['of 2026-11-28T08:12:00+00:00', 'of yesterday, 09:12'],
  ['of 2026-08-20T10:00:00Z, and 2025-01-02T10:00Z', 'of 20 Aug 2026, and 2 Jan 2025'],
  ['of 2026-99-20T10:00:00Z', 'of 2026-99-20T10:00:00Z'],
  // File names, and text that is not an instant, stay.
  ['/b/recollect-2026-08-20T10:00:00Z.db', '/b/recollect-2026-08-20T10:00:00Z.db'],
  ['The store has 2026 memories of 2026-08-20.', 'The store has 2026 memories of 2026-08-20.'],
])('doctor prints the times in %j as people write them', (message, expected) => {
  expect(readableTimes(message, now)).toBe(expected);
});
