import { otherSpellings } from '@recollect/contract/text';
import { expect, test } from 'vitest';
import { normaliseText, toPhrase, toTerms } from '../src/text/normalise-text.js';

test.each([
  ["O'Brien likes it", ['OBrien']],
  ['the user’s guide', ['users']],
  ['48,250.50 euros, 1.234.567 and iPhone 15 128 GB', ['48250', '1234567', 'i', 'Phone']],
  ['in 2019 100 people came on 2026.11.23 to 192.168.1.1', []],
  ['parseHTTPHeaders', ['parse', 'parseHTTP', 'HTTP', 'HTTPHeaders', 'Headers']],
  ['GitHub and iPhone', ['Git', 'Hub', 'i', 'Phone']],
  ['HTTP Berlin snake_case', []],
  ['aBcDeFgHiJkLmNoP', []],
])('QRY-13: other spellings of %s', (text, spellings) => {
  expect(otherSpellings(text)).toEqual(spellings);
});

test('QRY-13: letters that many people cannot type, numbers and emoji are written as in the index', () => {
  expect(normaliseText('Straße, œuf, Søren')).toBe('Strasse, oeuf, Soren');
  expect(toTerms('48,250 Łódź 🦄')).toEqual([['48250'], ['lodz'], ['emoji1f984']]);
  expect(toTerms(`snake_case ${'a_'.repeat(17)}`)).toEqual([['snake_case'], ...Array(17).fill(['a'])]);
  expect(toTerms('Ещё ёлка, Αθήνα, الكاتِبُ, שָׁלוֹם, می‌خواهم, Donau\u00addampf\u00adschiff, İstanbul, が')).toEqual([
    ...['еще', 'елка', 'αθηνα', 'الكاتب', 'שלום', 'میخواهم', 'donaudampfschiff', 'istanbul'].map((word) => [word]),
    ['が'],
  ]);
  expect(normaliseText('🦄🍕 🇩🇪')).toBe(' emoji1f984  emoji1f355   emoji1f1e91f1ea ');
});

test('QRY-12: a phrase is the words that follow each other, and characters where no spaces are written', () => {
  expect(toPhrase("O'Brien, 東京 48,250")).toEqual(['o', 'brien', '東', '京', '48', '250']);
  expect(toPhrase('snake_case')).toEqual(['snake', 'case']);
});

// In quadratic time, each would take minutes.
test.each(['a', 'AB', 'Aa', "a'", '123,', '東京', '🦄', 'aB3dE', '-"a" '])(
  'SEC-11: a text of %s only is normalised in linear time',
  (part) => {
    const text = part.repeat(300_000 / part.length);
    expect(normaliseText(text).length).toBeGreaterThanOrEqual(text.length);
    expect(toTerms(text).length).toBeGreaterThan(0);
  },
);
