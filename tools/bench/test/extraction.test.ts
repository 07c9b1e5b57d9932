import { browserPath } from '@recollect/browser';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { wordF1, wordsOf } from '../src/extraction/score.js';
import { scoreExtraction } from '../src/extraction/score-extraction.js';
import { scorePages } from '../src/extraction/score-pages.js';

describe('the score', () => {
  test('is 1 for the same words in any order, 0 without a common word, and lower for missing or extra words', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', 'b', 'c', '橋')),
        fc.array(fc.constantFrom('d', 'e')),
        (words, others) => {
          const text = words.join(' ');
          if (words.length > 0) expect(wordF1(text, [...words].reverse().join(' '))).toBe(1);
          expect(wordF1(text, others.join(' '))).toBe(0);
          if (words.length > 0 && others.length > 0)
            expect(wordF1(text, `${text} ${others.join(' ')}`)).toBeLessThan(1);
        },
      ),
    );
    expect(wordF1('a a b', 'a b')).toBeCloseTo(0.8);
  });

  test('skips the addresses of links, and counts each character of scripts without spaces as a word', () => {
    expect(wordsOf('See [the lamps](https://a.example/lamps-1) ![An oil lamp](x.png)')).toEqual([
      'see',
      'the',
      'lamps',
      'an',
      'oil',
      'lamp',
    ]);
    expect(wordsOf('霧見橋 2018年 naïve')).toEqual(['霧', '見', '橋', '2018', '年', 'naïve']);
  });
});

describe('the scores of a set of pages', () => {
  const page = { url: 'https://a.example/', html: '', with: [], without: [] };

  test('are runs of four words for articles, words for pages of a kind, and phrases for others', () => {
    const pages = [
      { ...page, text: 'one two three four five' },
      { ...page, kind: 'forum', text: 'one two' },
      { ...page, with: ['One two', 'nine'], without: ['four'] },
    ];
    const { runs, words, phrases, empty, worst } = scorePages(pages, [
      'zero one two three four',
      'one three',
      'one two four',
    ]);
    expect(runs).toEqual({ precision: 0.5, recall: 0.5, f1: 0.5 });
    expect(words).toEqual({ all: 0.5, forum: 0.5 });
    expect(phrases).toEqual({ precision: 0.5, recall: 0.5, f1: 0.5 });
    expect(empty).toBe(0);
    expect(worst).toHaveLength(3);
  });

  test('count a page without text as wrong', () => {
    const { runs, empty } = scorePages([{ ...page, text: 'one two three four five' }], ['']);
    expect(runs?.f1).toBe(0);
    expect(empty).toBe(1);
  });
});

describe.skipIf(browserPath === undefined)('extraction, in Chromium (needs Chromium: apt-get install chromium)', () => {
  test('reaches an F1 of .95 on average and .85 at worst over pages of different kinds', async () => {
    // The long suite scores all pages.
    const isLong = process.env.LONG === '1';
    const scores = await scoreExtraction(isLong ? 1 : 4);
    expect(scores.length).toBeGreaterThanOrEqual(isLong ? 30 : 8);
    const values = scores.map(({ recollect }) => recollect);
    expect(values.reduce((sum, value) => sum + value, 0) / values.length).toBeGreaterThan(0.95);
    expect(scores.filter(({ recollect }) => recollect < 0.85)).toEqual([]);
  });
});
