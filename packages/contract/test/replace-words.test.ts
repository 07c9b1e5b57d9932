import { expect, test } from 'vitest';
import { replaceWords } from '../src/text/index.js';

test('QRY-14: a correction replaces whole words, in their order, and no operator', () => {
  for (const [query, from, to, expected] of [
    ['stret lamps', 'stret', 'street', 'street lamps'],
    ['tag:stret stret lamps', 'stret lamps', 'street lamps', 'tag:stret street lamps'],
    ['xx:stret lamps', 'stret', 'street', 'xx:street lamps'],
    ['-stret tag:"old stret" stret', 'stret', 'street', '-stret tag:"old stret" street'],
    ['theory of eor', 'theory of eor', 'theory of ear', 'theory of ear'],
    ['Stret, "old stret"', 'stret stret', 'street street', 'street, "old street"'],
  ] as const)
    expect(replaceWords(query, { from, to })).toBe(expected);
});
