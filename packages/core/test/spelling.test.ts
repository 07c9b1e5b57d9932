import { foldWord } from '@recollect/contract/text';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { knownWords, mistakesIn } from '../src/retrieval/spelling/known-words.js';
import { createWordList, editDistance } from '../src/retrieval/spelling/word-list.js';

const letters = fc.string({ unit: fc.constantFrom(...'abcde'), minLength: 1, maxLength: 9 });
const words = fc.string({ unit: fc.constantFrom(...'abcdeé'), minLength: 4, maxLength: 10 });

/** Optimal string alignment by its recurrence. */
function naiveDistance(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length;
  const [restA, restB] = [a.slice(1), b.slice(1)];
  const least = Math.min(
    naiveDistance(restA, b) + 1,
    naiveDistance(a, restB) + 1,
    naiveDistance(restA, restB) + (a[0] === b[0] ? 0 : 1),
  );
  const isSwapped = a.length > 1 && b.length > 1 && a[0] === b[1] && a[1] === b[0];
  return isSwapped ? Math.min(least, naiveDistance(a.slice(2), b.slice(2)) + 1) : least;
}

test('QRY-14: counts insertions, deletions, replacements and swaps', () => {
  const short = letters.map((word) => word.slice(0, 6));
  fc.assert(
    fc.property(short, short, fc.integer({ min: 0, max: 7 }), (a, b, most) => {
      expect(editDistance(a, b, most)).toBe(Math.min(naiveDistance(a, b), most + 1));
    }),
  );
});

test('QRY-14: finds exactly the words within the distance, nearest first', () => {
  fc.assert(
    fc.property(fc.array(fc.uniqueArray(words, { maxLength: 8 }), { maxLength: 3 }), words, (batches, word) => {
      const list = createWordList();
      for (const batch of batches) list.add(batch);
      const [key, most] = [foldWord(word), mistakesIn(foldWord(word))];
      const near = new Set(
        batches
          .flat()
          .map(foldWord)
          .filter((other) => editDistance(key, other, most) <= most),
      );
      const found = list.similar(word);
      expect(new Set(found.map((similar) => foldWord(similar.word)))).toEqual(near);
      const distances = found.map(({ distance }) => distance);
      expect(distances).toEqual(distances.toSorted((a, b) => a - b));
    }),
  );
});

test('QRY-14: one mistake in four to seven letters, and two beyond', () => {
  expect(['bee', 'bees', 'waggles', 'kowalczy', 'x'.repeat(24), 'x'.repeat(25)].map(mistakesIn)).toEqual([
    0, 1, 1, 2, 2, 0,
  ]);
});

test('QRY-14: the known words of a text have letters only, and are written as in the text', () => {
  expect(
    knownWords("Straßenreinigung – 48,250 €, snake_case, parseHTTPHeaders, O'Brien, utf8, 東京タワー, Łódź, Łódź"),
  ).toEqual(['straßenreinigung', 'snake', 'case', 'parsehttpheaders', 'brien', 'łódź']);
});

test('QRY-14: a word with accents is compared without them, and returned with them', () => {
  const list = createWordList();
  list.add(['straßenreinigung', 'łódź', 'cafeteria']);
  expect(list.similar('strasenreinigung')).toEqual([
    { word: 'straßenreinigung', distance: 1, hasSameStart: true, isSlip: true },
  ]);
  expect(list.similar('lodz')).toEqual([{ word: 'łódź', distance: 0, hasSameStart: true, isSlip: true }]);
  list.add(['compost', 'compact', 'compat']);
  const slips = (word: string) => list.similar(word).map((similar) => [similar.word, similar.isSlip]);
  expect(Object.fromEntries(slips('compst'))).toEqual({ compost: true, compat: false });
  expect(Object.fromEntries(slips('compcat'))).toMatchObject({ compact: true, compat: false });
});

test.each(['a', 'aé1', "a'", 'Ab ', '東京'])(
  'SEC-11: the words of a text of %s only are found in linear time',
  (part) => {
    expect(knownWords(part.repeat(300_000 / part.length)).length).toBeLessThan(3);
  },
);

test('QRY-3: finds words that have a part behind their beginning, shortest first', () => {
  const list = createWordList();
  list.add(['autocomplete', 'complete', 'incomplete', 'xcomplet', 'cab', 'cabbed', 'fußballverein']);
  expect(list.containing('complet', 9)).toEqual(['xcomplet', 'incomplete', 'autocomplete']);
  expect(list.containing('complet', 2)).toEqual(['xcomplet', 'incomplete']);
  expect(list.containing('ssball', 9)).toEqual(['fussballverein']);
  // Across two words.
  expect([list.containing('bcab', 9), list.containing('complete', 9)]).toEqual([[], ['incomplete', 'autocomplete']]);
});
