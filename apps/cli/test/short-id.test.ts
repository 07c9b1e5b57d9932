import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shortenIds } from '../src/terminal/short-id.js';

test('CLI-16: shortens ids to unique beginnings, none shorter than its time', () => {
  const id = '019f0c1e-7d3a-7000-8a51-3c1b2f4d5e6f';
  expect(shortenIds([id])).toEqual(['019f0c1e-7d3a']);
  expect(shortenIds([id, '019f0c1e-7d3a-7001-8a51-3c1b2f4d5e6f', id])).toEqual([
    '019f0c1e-7d3a-7000',
    '019f0c1e-7d3a-7001',
    '019f0c1e-7d3a-7000',
  ]);
  fc.assert(
    fc.property(fc.array(fc.uuid(), { maxLength: 20 }), (ids) => {
      const shortened = shortenIds(ids);
      for (const [at, short] of shortened.entries())
        expect(new Set(ids.filter((other) => other.startsWith(short)))).toEqual(new Set([ids[at]]));
    }),
  );
});
