import { formatBytes } from '@recollect/contract/text';
import fc from 'fast-check';
import { expect, test } from 'vitest';

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [1_000, '1 kB'],
  [1_536, '1.5 kB'],
  [999_940, '999.9 kB'],
  [999_960, '1 MB'],
  [70_000_000_000, '70 GB'],
  [5_000_000_000_000_000, '5,000 TB'],
])('%d bytes are %s', (bytes, expected) => {
  expect(formatBytes(bytes, 'en')).toBe(expected);
});

test('sizes below 1,000 TB have at most three digits before the decimal point, and grow with the bytes', () => {
  const UNITS = { byte: 1, bytes: 1, kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 };
  const read = (text: string) => {
    const [number = '', unit = ''] = text.split(' ');
    return { number, bytes: Number(number) * UNITS[unit as keyof typeof UNITS] };
  };
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 999_900_000_000_000 }), (bytes) => {
      const shown = read(formatBytes(bytes, 'en'));
      expect(shown.number).toMatch(/^\d{1,3}(\.\d)?$/);
      expect(Math.abs(shown.bytes - bytes)).toBeLessThanOrEqual(bytes * 0.05);
    }),
  );
});
