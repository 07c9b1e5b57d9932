import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseQuery } from '../src/retrieval/parse-query.js';
import { normaliseText, toTerms } from '../src/text/normalise-text.js';

describe('parseQuery', () => {
  test('QRY-6: parses any text, and returns only letters, digits, marks and underscores as terms', () => {
    const awkward = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc
        .array(fc.constantFrom('"', '*', 'NEAR(', '-', ':', 'site:', 'AND', '(', ')', "don't", 'C++', ' ', '東京'))
        .map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(awkward, (query) => {
        const { terms } = parseQuery(query);
        for (const word of terms.terms.flat()) expect(word).toMatch(/^[\p{L}\p{N}\p{M}_]+$/u);
      }),
    );
  });

  test('QRY-8: says which operators have a value that cannot be read, and how to write it', () => {
    const { warnings } = parseQuery('tea before:31.13.2024 before:soon source:paper after:2024');
    expect(warnings).toEqual([
      'The value of before: cannot be read, so it was searched as words. Write it like before:2026-01-31, before:31.1.2026 or before:yesterday.',
      'The value of source: cannot be read, so it was searched as words. Write it like source:note.',
    ]);
    expect(parseQuery('tea http://a.example after:2024').warnings).toEqual([]);
    expect(parseQuery('site: tea').warnings).toEqual([
      'site: has no value, so it was searched as a word. Write it like site:example.org.',
    ]);
  });

  test('QRY-8, QRY-12: says where a minus excludes no operator', () => {
    expect(parseQuery('coffee -tag:npm')).toMatchObject({
      text: 'coffee',
      filter: { not: { tag: 'npm' } },
      warnings: [],
    });
    expect(parseQuery('coffee -after:2025').warnings).toEqual([expect.stringContaining('take no minus')]);
    expect(parseQuery('coffee -is:blue').warnings).toEqual([
      expect.stringContaining('The value of -is: cannot be read'),
    ]);
    expect(parseQuery('coffee pre-tag:npm -tags').warnings).toEqual([]);
  });

  test('QRY-6: says that there is nothing to search for', () => {
    for (const query of ['*', '"', '""', '-', '%'])
      expect(parseQuery(query).warnings).toEqual(['The query has no letters, digits or emoji to search for.']);
    for (const query of ['🦄', '日', 'tag:tea', '"tea"']) expect(parseQuery(query).warnings).toEqual([]);
  });

  test('ignores stop words while other words remain', () => {
    expect(parseQuery('what is the boiling point').terms.terms).toEqual([['boiling'], ['point']]);
    expect(parseQuery('to be or not to be').terms.terms.length).toBeGreaterThan(0);
  });

  test('QRY-3: treats the last word as unfinished while nothing follows it', () => {
    expect(parseQuery('green photosyn').terms.prefix).toBe('photosyn');
    expect(parseQuery('green photosyn?').terms.prefix).toBeNull();
    expect(parseQuery('東京').terms.prefix).toBeNull();
  });
});

describe('normaliseText', () => {
  test('QRY-3: each pair of adjacent CJK characters is a term that matches the text', () => {
    const cjk = fc
      .array(fc.constantFrom(...'日本語検索東京都가나다ไทย'), { minLength: 2, maxLength: 12 })
      .map((characters) => characters.join(''));
    fc.assert(
      fc.property(cjk, (word) => {
        const text = ` ${normaliseText(`before ${word} after`).replace(/\s+/g, ' ')} `;
        for (const term of toTerms(word)) expect(text).toContain(` ${term.join(' ')} `);
      }),
    );
  });

  test('converts full-width letters and ligatures to plain letters', () => {
    expect(normaliseText('ＡＢＣ ﬁne')).toBe('ABC fine');
    expect(toTerms('ＡＢＣ')).toEqual([['abc']]);
  });
});
