import { readWords } from '@recollect/contract/query-syntax';
import fc from 'fast-check';
import { expect, test } from 'vitest';

test('QRY-6: any text is read, and what it leaves out are quotation marks and excluded words only', () => {
  const awkward = fc
    .array(
      fc.constantFrom('"', '-', '--', ' ', 'tea', '-tea', '"green tea"', '-"green tea"', 'a-b', '🦄', '""', "don't"),
    )
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), awkward), (words) => {
      const { text, phrases, excluded, isOnlyExcluded, isProse } = readWords(words);
      for (const part of [...phrases, ...excluded]) expect(words).toContain(part);
      for (const phrase of phrases) expect(text).toContain(phrase.replace(/\s+/g, ' '));
      if (isOnlyExcluded || isProse) expect([text, phrases, excluded]).toEqual([words, [], []]);
      const letters = (some: string) => some.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
      expect(letters(text) + letters(excluded.join(''))).toBe(letters(words));
    }),
  );
});

test.each([
  ['bees "waggle dance" -honey', 'bees waggle dance', ['waggle dance'], ['honey']],
  ['-"waggle dance" bees', 'bees', [], ['waggle dance']],
  ['"unbalanced quotes', '"unbalanced quotes', [], []],
  ['e-mail foo-bar - --x', 'e-mail foo-bar - --x', [], []],
  ['-5 degrees', '-5 degrees', [], []],
  ['5" disk 3" disk', '5" disk 3" disk', [], []],
  ['"" tea', '"" tea', [], []],
  ['-honey -wax', '-honey -wax', [], []],
  [`${'tea '.repeat(20)}"green tea" -milk`, `${'tea '.repeat(20)}green tea`, ['green tea'], ['milk']],
  [`${'tea '.repeat(21)}"green tea" -milk`, `${'tea '.repeat(21)}"green tea" -milk`, [], []],
])('QRY-12: reads %s', (words, text, phrases, excluded) => {
  expect(readWords(words)).toMatchObject({ text, phrases, excluded });
});
