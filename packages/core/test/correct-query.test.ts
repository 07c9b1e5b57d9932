import type { UncertainWords } from '@recollect/core';
import { expect, test } from 'vitest';
import { parseQuery } from '../src/retrieval/parse-query.js';
import { correctQuery } from '../src/retrieval/spelling/correct-query.js';

/** Corrects a query with an index that knows some corrections. Returns the new text and the requests to the index. */
async function correct(
  query: string,
  corrections: Record<string, string>,
  known: readonly string[],
  words: readonly string[] = [],
  absent: ReadonlySet<string> | null = null,
) {
  const asked: UncertainWords[] = [];
  const nearestWords = async (_: string, uncertain: UncertainWords) => {
    asked.push(uncertain);
    return uncertain.words.map((word) => corrections[word] ?? null);
  };
  const { meant, suggestion } = await correctQuery({ nearestWords }, 'ann', parseQuery(query), {
    absent,
    isWord: (word) => known.includes(word),
    dictionary: { has: (word) => words.includes(word) },
  });
  return { text: meant?.parsed.text ?? null, suggestion, asked };
}

test('QRY-14: words that the model knows are not looked up, but stand beside those that are', async () => {
  expect(await correct('bees choosing nest', { nest: 'best' }, ['bees', 'choosing', 'nest'])).toEqual({
    text: null,
    suggestion: null,
    asked: [],
  });
  const { text, asked } = await correct('bees of kowalczik dnace', { dnace: 'dance' }, ['bees']);
  expect(text).toBe('bees of kowalczik dance');
  expect(asked).toMatchObject([{ words: ['kowalczik', 'dnace'], beside: ['bees'] }]);
});

test('QRY-14: only words that a search found in no text are looked up, beside the others', async () => {
  const ask = (...absent: string[]) =>
    correct('kowalczik dnace', { dnace: 'dance', kowalczik: 'kowalczyk' }, [], [], new Set(absent));
  const { text, asked } = await ask('dnace');
  expect(text).toBe('kowalczik dance');
  expect(asked).toMatchObject([{ words: ['dnace'], beside: ['kowalczik'] }]);
  expect(await ask()).toMatchObject({ text: null, suggestion: null, asked: [] });
});

test('QRY-14: a word of the dictionary is never replaced, only suggested to be another', async () => {
  const corrections = { tart: 'part', recpie: 'recipe' };
  expect(await correct('onion tart', corrections, ['onion'], ['tart'])).toMatchObject({
    text: null,
    suggestion: { from: 'tart', to: 'part' },
  });
  expect(await correct('onion Tart recpie', corrections, ['onion'], ['tart'])).toMatchObject({
    text: 'onion Tart recipe',
    suggestion: { from: 'Tart recpie', to: 'part recipe' },
  });
});
