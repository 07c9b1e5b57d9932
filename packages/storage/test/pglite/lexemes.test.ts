import { normaliseText } from '@recollect/core';
import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lexemesOf, toLexemes } from '../../src/postgres/lexemes.js';

/** The words of a text in an index of SQLite's. */
function wordsOfSqlite(text: string): string[] {
  const database = new Sqlite(':memory:');
  try {
    database.exec(`create virtual table t using fts5(body, tokenize = 'porter unicode61 remove_diacritics 2');
      create virtual table v using fts5vocab(t, row)`);
    database.prepare('insert into t (body) values (?)').run(normaliseText(text));
    return database.prepare('select term from v order by term').pluck().all() as string[];
  } finally {
    database.close();
  }
}

const sorted = (words: readonly string[]) => [...new Set(words)].sort();

test('QRY-3: PostgreSQL and SQLite have the same words of a text', () => {
  const texts = [
    'The runners were RUNNING past the Café in 東京都, and o’Brien paid 48,250 for KSpider_v2.',
    'Ещё ёлка, Αθήνα, שָׁלוֹם והספר, الكاتِبُ and a Donau\u00addampf\u00adschiff in Łódź, Straße.',
    "it's isn't don't C++ a.b.c 3.14 x² ½ 🦊 naïve façade Ωmega",
  ];
  for (const text of texts) expect(sorted(lexemesOf(text))).toEqual(sorted(wordsOfSqlite(text)));
});

test('QRY-3: PostgreSQL and SQLite have the same words of any text in Latin letters', () => {
  const word = fc.stringMatching(/^(?:[a-zA-ZäöüéñçßøłœÀ-Ö'_-]{1,12}|[0-9.,]{1,6})$/);
  fc.assert(
    fc.property(fc.array(word, { maxLength: 12 }), (words) => {
      const text = words.join(' ');
      expect(sorted(lexemesOf(text))).toEqual(sorted(wordsOfSqlite(text)));
    }),
    { numRuns: 60 },
  );
});

test('QRY-12: no phrase reaches from one field of a row into the next', () => {
  const { words, length, opening } = toLexemes({ title: 'Bees dance', body: 'a waggle dance', notes: 'again' }, 'abc');
  expect(words).toBe("'abcbee':1A 'abcdanc':2A,13 'abca':11 'abcwaggl':12 'abcagain':22");
  expect([length, opening]).toEqual([6, 'a waggl danc ']);
});
