import { expect, test } from 'vitest';
import { replaceWords } from '../src/text/index.js';

test('QRY-14: a correction replaces whole words, in their order, and no operator', () => {
  for (const [query, from, to, expected] of [
    ['stret lamps', 'stret', 'street', 'street lamps'],
    ['tag:stret stret lamps', 'stret lamps', 'street lamps', 'tag:stret street lamps'],
    ['theory of eor', 'theory of eor', 'theory of ear', 'theory of ear'],
    ['Stret, "old stret"', 'stret stret', 'street street', 'street, "old street"'],
  ] as const)
    expect(replaceWords(query, { from, to })).toBe(expected);
});
