import Sqlite from 'better-sqlite3';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTokenizer } from '../../src/sqlite/texts/create-tokenizer.js';

/** The tokens that the full-text index of a store has of a text. */
function createIndexed(): (text: string) => string[] {
  const database = new Sqlite(':memory:');
  database.exec(`
    create virtual table texts using fts5(text, content = '', contentless_delete = 1,
      tokenize = 'porter unicode61 remove_diacritics 2');
    create virtual table tokens using fts5vocab(texts, 'instance')`);
  return (text) => {
    database.prepare('insert into texts (rowid, text) values (1, ?)').run(text);
    const tokens = database.prepare('select term from tokens order by offset').pluck().all() as string[];
    database.prepare('delete from texts where rowid = 1').run();
    return tokens;
  };
}

const WORDS = [
  'running',
  'Flies',
  'sky',
  'yyed',
  'enjoying',
  '2020s',
  'mp3s',
  'naïve',
  'Straße',
  'ÅNGSTRÖM',
  'ﬁsh',
  'x_y',
];
const LETTERS = [
  'é',
  'e\u0301',
  '\u0301',
  'ß',
  'İ',
  '東',
  '\u0e01\u0e33',
  'ნ',
  'Ა',
  '\u{1e900}',
  '\u{1f41d}',
  '٣',
  'ʼ',
  '·',
  '\u200d',
];
const ENDINGS = [
  's',
  'es',
  'ing',
  'ed',
  'eed',
  'y',
  'ational',
  'izer',
  'fulness',
  'iviti',
  'ement',
  'ion',
  'ness',
  'll',
];

const piece = fc.oneof(
  fc.constantFrom(...WORDS),
  fc.constantFrom(...LETTERS),
  fc.string({ unit: 'binary', maxLength: 4 }),
  fc.tuple(fc.stringMatching(/^[a-zA-Z]{0,5}$/), fc.constantFrom(...ENDINGS)).map((parts) => parts.join('')),
  fc.constantFrom(' ', '-', '\n', '_', '’', ', '),
);
const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('').toWellFormed().replaceAll('\0', ' '));

test('QRY-23: any text has the words that the full-text index has', () => {
  const indexed = createIndexed();
  const tokenizer = createTokenizer();
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 3 }), (texts) => {
      expect(tokenizer.tokensOf(texts)).toEqual(texts.map(indexed));
    }),
    { numRuns: 200 },
  );
});

test('QRY-23: plain English words have the stems of the full-text index', () => {
  const indexed = createIndexed();
  const words = ENDINGS.flatMap((one) => ENDINGS.map((two) => `hop${one}${two} la${one} ${one}`)).join(' ');
  expect(createTokenizer().tokensOf([words])).toEqual([indexed(words)]);
});
