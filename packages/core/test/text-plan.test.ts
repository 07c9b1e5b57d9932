import { completionsOf, endingsOf, planWords, repeatsWords } from '@recollect/core/threads';
import { expect, test } from 'vitest';

const counted = (...rows: number[]) => rows.map((count, at) => ({ word: `w${at}`, rows: count }));
const words = (list: readonly { word: string }[]) => list.map(({ word }) => word);

test('QRY-3: ranks by the rarest words of a query, and selects rows by fewer of them', () => {
  const plan = planWords(counted(4_000, 10, 900, 0, 30_000), [], [4_000, 10, 900, 0, 30_000], 100_000);
  expect(words(plan.present)).toEqual(['w1', 'w2', 'w0', 'w4']);
  expect(words(plan.ranked)).toEqual(['w1', 'w2', 'w0']);
  expect(words(plan.selecting)).toEqual(['w1', 'w2']);
  expect(plan.coverage).toBeGreaterThan(0.4);
  expect(plan.coverage).toBeLessThan(1);
  expect(plan.weights).toHaveLength(5);
});

test('QRY-3: ranks by no word if even the rarest is in too many rows', () => {
  expect(planWords(counted(30_000, 40_000), [], [], 100_000).ranked).toEqual([]);
  expect(words(planWords(counted(19_000, 40_000), [], [], 100_000).ranked)).toEqual(['w0']);
});

test('QRY-3: a form that no row has changes neither the coverage nor the full score', () => {
  const plain = planWords(counted(5, 7), [], [], 100);
  expect(planWords(counted(5, 7), [{ word: 'form', rows: 0 }], [], 100)).toEqual(plain);
  expect(planWords(counted(5, 7), [{ word: 'form', rows: 3 }], [], 100).fullScore).toBeGreaterThan(plain.fullScore);
});

test('QRY-3: completes a word that is its stem by its beginning, and another from the words of the texts', () => {
  expect(completionsOf('runn')).toEqual([{ beginnings: ['runn'] }, { words: expect.arrayContaining(['running']) }]);
  expect(completionsOf('bees')).toEqual(['words of the texts']);
});

test('QRY-12: looks for the rest of a phrase at the beginning of the next chunk', () => {
  expect(endingsOf(['a', 'b', 'a', 'b'])).toEqual([['b', 'a', 'b'], ['a', 'b'], ['b']]);
  const same = (word: string) => word;
  expect([repeatsWords(Array(16).fill('la'), same), repeatsWords(Array(17).fill('la'), same)]).toEqual([false, true]);
});
