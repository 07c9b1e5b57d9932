import { describeInterval } from '@recollect/contract/text';
import { expect, test } from 'vitest';

test.each([
  [1, 'every minute'],
  [90, 'every 90 minutes'],
  [60, 'every hour'],
  [360, 'every 6 hours'],
  [1_440, 'once a day'],
  [2_880, 'every 2 days'],
  [10_080, 'once a week'],
  [20_160, 'every 2 weeks'],
  [525_600, 'every 365 days'],
])('%i minutes are %s', (minutes, words) => {
  expect(describeInterval(minutes)).toBe(words);
});
