import { expect, test } from 'vitest';
import { ConfigurationError, readConfiguration } from '../src/config.js';

test('MEM-10: former values are kept for 30 days, or for a number of days from 1 to 3650', () => {
  const daysOf = (days?: string) => readConfiguration({ RECOLLECT_HISTORY_DAYS: days }).historyDays;
  expect([daysOf(), daysOf('1'), daysOf('3650')]).toEqual([30, 1, 3_650]);
  for (const days of ['0', '3651', '1.5', 'x']) {
    expect(() => daysOf(days)).toThrow(ConfigurationError);
    expect(() => daysOf(days)).toThrow('RECOLLECT_HISTORY_DAYS must be a whole number from 1 to 3650.');
  }
});
