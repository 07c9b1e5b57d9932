import { formatNumber } from '@recollect/ui/numbers';
import { expect, test } from 'vitest';

test('numbers have the separators of the locale', () => {
  expect([formatNumber(1_234_567, 'en'), formatNumber(1_234_567, 'de')]).toEqual(['1,234,567', '1.234.567']);
});
