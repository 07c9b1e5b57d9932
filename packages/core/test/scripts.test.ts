import { markMatches } from '@recollect/contract/text';
import { expect, test } from 'vitest';
import { toTerms } from '../src/text/normalise-text.js';

/** A text in each script that is searched by its characters, and a part of it. */
const TEXTS = {
  Han: ['東京都庁舎', '京都'],
  Hiragana: ['おはようございます', 'ござい'],
  Katakana: ['アイスクリーム', 'クリーム'],
  Hangul: ['안녕하세요', '하세'],
  Thai: ['สวัสดีครับ', 'สดี'],
  Lao: ['ສະບາຍດີ', 'ບາຍ'],
  Khmer: ['សួស្តីអ្នក', 'អ្នក'],
  Myanmar: ['မင်္ဂလာပါ', 'လာပါ'],
} as const;

test.each(Object.entries(TEXTS))('QRY-6, QRY-9: marks the hits in %s', (_script, [text, part]) => {
  const indexed = toTerms(text).flat();
  expect(
    toTerms(part)
      .flat()
      .filter((term) => !indexed.includes(term)),
  ).toEqual([]);
  expect(markMatches(text, part).some(({ isMatch }) => isMatch)).toBe(true);
});
