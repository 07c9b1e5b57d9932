import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFormFinder, formPattern, stemOf } from '../src/text/index.js';

const ENDINGS = [
  'ational',
  'bly',
  'biliti',
  'ies',
  'sses',
  'eed',
  'ing',
  'ed',
  'y',
  'ize',
  'ousness',
  'able',
  'e',
  'll',
];
const word = fc
  .tuple(fc.stringMatching(/^[a-z]{0,6}$/), fc.constantFrom('', ...ENDINGS), fc.constantFrom('', ...ENDINGS))
  .map((parts) => parts.join(''))
  .filter((letters) => letters !== '');

test('QRY-5: a word begins with its stem, except for the last letter of that', () => {
  fc.assert(
    fc.property(word, (letters) => {
      const stem = stemOf(letters);
      expect(letters.startsWith(stem.slice(0, -1)), `${letters}: ${stem}`).toBe(true);
    }),
    { numRuns: 5_000 },
  );
});

test('QRY-5: the pattern of some words matches each form of them in a text', () => {
  const texts = ['word-forms', 'plain-text', 'letters'].map((name) =>
    readFileSync(new URL(`../src/text/${name}.ts`, import.meta.url), 'utf8').replace(/[^\0-\x7f]/g, ''),
  );
  const all = texts.join('\n').match(/\w+/g) ?? [];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...all), { maxLength: 3 }), fc.option(word), (words, prefix) => {
      const findForm = createFormFinder(words, prefix);
      const formsIn = (some: readonly string[]) => some.filter((other) => findForm(other) !== undefined);
      expect(formsIn(texts.join('\n').match(formPattern(words, prefix)) ?? [])).toEqual(formsIn(all));
    }),
    { numRuns: 200 },
  );
});
