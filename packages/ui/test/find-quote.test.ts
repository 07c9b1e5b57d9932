import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { collapse, findQuote, quoteAt } from '../src/text-index.js';

const passage = fc
  .array(fc.stringMatching(/^[a-zäß橋.,]{1,9}$/), { minLength: 1, maxLength: 12 })
  .map((words) => words.join(' '));
const anything = fc.string({ unit: 'grapheme', maxLength: 300 }).map((text) => collapse(text));

describe('a quote', () => {
  const found = (text: string, quote: { quote: string; prefix: string; suffix: string }) => {
    const span = findQuote(text, quote);
    return span === null ? null : text.slice(span.start, span.end);
  };

  test('is found again after any text is inserted around it', () => {
    fc.assert(
      fc.property(passage, anything, anything, anything, anything, (quote, prefix, suffix, before, after) => {
        const text = collapse(`${before} ${quote} ${after}`);
        expect(found(text, { quote, prefix, suffix })).toBe(quote);
      }),
    );
  });

  test('is found at its place among several with the same words', () => {
    fc.assert(
      fc.property(passage, fc.array(passage, { minLength: 3, maxLength: 6 }), fc.nat(5), (quote, others, nth) => {
        // A unique text precedes each place.
        const places = others.map((other, index) => `${index}${index} ${other} #${index} ${quote} `);
        const at = nth % places.length;
        const before = places.slice(0, at).join('');
        const start = before.length + `${at}${at} ${others[at]} #${at} `.length;
        const text = places.join('');
        const prefix = text.slice(Math.max(0, start - 64), start);
        const suffix = text.slice(start + quote.length, start + quote.length + 64);
        expect(findQuote(text, { quote, prefix, suffix })).toEqual({ start, end: start + quote.length });
        // So it is after something was inserted at the beginning.
        const moved = 'An introduction. ';
        expect(findQuote(moved + text, { quote, prefix, suffix })?.start).toBe(start + moved.length);
      }),
    );
  });

  test('is found at its place in a text that repeats itself', () => {
    const sentence = 'Other bees follow the dance, inspect the site themselves, and dance in turn. ';
    const text = `She dances. ${sentence.repeat(12)}The others join.`;
    const places = [...text.matchAll(/Other bees/g)].map(({ index }) => ({ start: index, end: index + 10 }));
    for (const place of places) expect(findQuote(text, quoteAt(text, place))).toEqual(place);
    expect(quoteAt(text, places[0] ?? { start: 0, end: 0 }).prefix.length).toBeLessThanOrEqual(200);
  });

  test('has no half of a character, wherever its context ends', () => {
    const text = 'So nice 🦄🦄! Yes 🍕 it is. '.repeat(40);
    for (let start = 210; start < 260; start += 1) {
      const { quote, prefix, suffix } = quoteAt(text, { start, end: start + 300 });
      expect([quote, prefix, suffix].map((part) => part.isWellFormed())).toEqual([true, true, true]);
    }
  });

  test('is found when a few of its letters have changed, in the place with the fewest changes', () => {
    const quote = 'Paraffin burns brighter than colza oil';
    const text = 'Whale oil burns. Parafin burns brigther than colza oil, but it smells. Other oils burn too.';
    expect(found(text, { quote, prefix: '', suffix: '' })).toMatch(/^.?Parafin burns brigther than colza oil.?$/);
  });

  test('is found with exactly its words, where no others will do', () => {
    const quote = { quote: 'colza oil', prefix: '', suffix: '' };
    expect(findQuote('Better than colza oil.', quote, true)).toEqual({ start: 12, end: 21 });
    expect(findQuote('Better than colsa oil.', quote)).not.toBeNull();
    expect(findQuote('Better than colsa oil.', quote, true)).toBeNull();
  });

  test('is not found when its words are gone', () => {
    expect(
      findQuote('Nothing of it is left here.', { quote: 'Paraffin burns brighter', prefix: '', suffix: '' }),
    ).toBeNull();
    expect(findQuote('', { quote: 'Paraffin', prefix: '', suffix: '' })).toBeNull();
    expect(findQuote('Paraffin', { quote: '  ', prefix: '', suffix: '' })).toBeNull();
  });

  test('may have other white space than the text', () => {
    expect(found('one two three', { quote: 'two\n\tthree', prefix: 'one\n', suffix: '' })).toBe('two three');
  });
});
