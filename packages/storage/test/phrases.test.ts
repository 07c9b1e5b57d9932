import { createCore, LOCAL_USER } from '@recollect/core';
import { createPhraseFinder } from '@recollect/core/threads';
import { openStorage } from '@recollect/storage';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPhraseSearch } from '../src/sqlite/procedures/find-phrases.js';

test('QRY-12: finds a phrase wherever its words stand one after the other', () => {
  const words = fc.array(fc.constantFrom('a', 'b'), { maxLength: 40 });
  const phrases = fc.array(fc.constantFrom('a', 'b'), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(words, phrases, (text, phrase) => {
      expect(createPhraseFinder(phrase)(text)).toBe(text.join('').includes(phrase.join('')));
    }),
  );
});

test('QRY-21: compares a few words of a phrase for each word of a text, however often they repeat', () => {
  const text = Array.from({ length: 10_000 }, (_, at) => (at % 500 === 499 ? 'dance' : 'bobu'));
  let reads = 0;
  const phrase = new Proxy(Array<string>(1_000).fill('bobu'), {
    get(target, key) {
      if (typeof key === 'string' && /^\d+$/.test(key)) reads++;
      return Reflect.get(target, key);
    },
  });
  expect(createPhraseFinder(phrase)(text)).toBe(false);
  expect(reads).toBeLessThan(5 * (text.length + phrase.length));
});

test('QRY-21: asks the index for no more than a few times the words of a phrase', () => {
  const asked = (phrase: readonly string[]) => {
    let size = 0;
    const all = (_: string, parameters: readonly unknown[]) => {
      size += JSON.stringify(parameters).length;
      return [];
    };
    const search = createPhraseSearch(all, { check() {} });
    search((words) => words.join(' OR '), 'ann', [phrase]);
    return size;
  };
  const distinct = Array.from({ length: 1_000 }, (_, at) => `w${at}`);
  expect(asked(distinct)).toBeLessThan(15 * asked(distinct.slice(0, 100)));
  expect(asked(distinct)).toBeLessThan(20 * distinct.join(' ').length);
  expect(asked(Array(1_000).fill('bobu'))).toBeLessThan(2_000);
});

test('QRY-12: counts the words of a phrase that repeats them, also where chunks meet', async () => {
  const storage = await openStorage({ url: 'sqlite::memory:', readers: 0 });
  try {
    const core = createCore({ ...storage });
    const most = 700;
    await core.capture(LOCAL_USER, [
      { title: 'Long', pageText: `${'bobu '.repeat(most)}dance`, url: 'https://a.example/1' },
      { title: 'a '.repeat(40), pageText: 'bobu, and then a dance', url: 'https://a.example/2' },
    ]);
    const find = async (query: string) =>
      (await core.query(LOCAL_USER, query, { asTyped: true })).answer.results.map(({ url }) => url?.at(-1));
    const phrase = (count: number, more = '') => `"${Array(count).fill('bobu').join(' ')}${more}"`;
    expect((await core.memories.list(LOCAL_USER, {})).memories.length).toBe(2);
    for (const count of [16, 17, 100, 390]) {
      expect([count, await find(phrase(count))]).toEqual([count, ['1']]);
      expect([count, await find(phrase(count, ' dance'))]).toEqual([count, ['1']]);
      expect([count, await find(phrase(count, ' tea'))]).toEqual([count, []]);
      expect([count, await find(`dance -${phrase(count)}`)]).toEqual([count, ['2']]);
    }
    expect(await find(`"${'a '.repeat(40).trim()}"`)).toEqual(['2']);
    expect(await find(`"${'a '.repeat(41).trim()}"`)).toEqual([]);
  } finally {
    await storage.close();
  }
});
