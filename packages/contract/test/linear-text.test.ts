import { addressesIn, beginningOf, joinGroups, plainText } from '@recollect/contract/text';
import { describe, expect, test } from 'vitest';

const PARTS = [
  '[',
  '![',
  '\\[',
  '[a](',
  '[a](b ',
  '](http://',
  '**a ',
  '__a ',
  '`a ',
  '*a',
  '|',
  '<a ',
  '<!--',
  '# ',
  '\r[a',
  ' ',
];

describe('SEC-11: Markdown becomes plain text in linear time', () => {
  test.each(PARTS)('%j', (part) => {
    expect((size: number) => {
      plainText(part.repeat(size / part.length));
      beginningOf(`# a${part.repeat(size / part.length)}b`, 'a');
    }).toTakeLinearTime(8_000);
  });
});

test('SEC-11: groups of digits are joined in linear time', () => {
  expect((size: number) => joinGroups(`${'1,111'.repeat(size)}a`)).toTakeLinearTime(8_000);
  expect((size: number) => joinGroups(`1${',111'.repeat(size)}a`)).toTakeLinearTime(8_000);
  expect(joinGroups('1,234,567 and 1,234,56.789 and 1,234a')).toBe('1234567 and 1,234,56789 and 1,234a');
});

test.each([')', '.', '(', 'http://', 'http://a).'])(
  'MEM-21, SEC-11: addresses are found in linear time: %s',
  (part) => {
    expect((size: number) => addressesIn(`http://a.example/${part.repeat(size / part.length)}`)).toTakeLinearTime(
      8_000,
    );
  },
);

test('MEM-21: an address ends where Markdown ends its link', () => {
  expect(addressesIn('See <https://a.example/x>, (https://b.example/y_(z)). https://c.example/?q=1!')).toEqual([
    'https://a.example/x',
    'https://b.example/y_(z)',
    'https://c.example/?q=1',
  ]);
});
