import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countingUnread } from '../src/chunking/chunk-text.js';

/** As a model for English does: a token for each short word, and for each letter of other scripts. */
const countTokens = (text: string) => (text.match(/[a-z']+|[^\sa-z']/gi) ?? []).length;
const count = countingUnread(['Latin'], countTokens);

test.each([
  ['words that the model reads as it does', 'Green tea, steeped.', 5],
  ['letters of another alphabet by threes', 'Зелёный чай', 4],
  ['marks as letters of their word', 'ไทย ที่นี่', 3],
  ['Chinese and Japanese letters one by one', '東京タワー', 5],
  ['Korean syllables one by one', '한국어', 3],
  ['both in one text', 'Tea is чай', 3],
])('counts %s', (_, text, tokens) => {
  expect(count(text)).toBe(tokens);
});

test('counts everything as the model does if it reads all scripts, or the text has no others', () => {
  expect(countingUnread(null, countTokens)).toBe(countTokens);
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'aé ß,’–\n1') }), (text) => {
      expect(count(text)).toBe(countTokens(text));
    }),
  );
});
