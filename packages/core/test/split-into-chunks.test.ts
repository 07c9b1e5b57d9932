import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { estimateTokens } from '../src/capture/estimate-tokens.js';
import { splitIntoChunks } from '../src/capture/split-into-chunks.js';

const MAXIMUM = 230;

const prose = fc
  .array(
    fc.oneof(
      fc.lorem({ maxCount: 30 }),
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\n\n', '。', '# Title\n', '漢'.repeat(300), ' ', '𝄞'.repeat(500)),
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(' '));

describe('splitIntoChunks', () => {
  test('CAP-11: the chunks joined are the text, whatever it is made of', () => {
    fc.assert(
      fc.property(prose, (text) => {
        expect(splitIntoChunks(text).join('')).toBe(text);
      }),
    );
  });

  test('no chunk is longer than the model reads, none is blank, and no character is cut', () => {
    fc.assert(
      fc.property(prose, (text) => {
        fc.pre(text.trim() !== '' && text.isWellFormed());
        for (const chunk of splitIntoChunks(text)) {
          expect(estimateTokens(chunk)).toBeLessThanOrEqual(MAXIMUM);
          expect(chunk.isWellFormed()).toBe(true);
          expect(chunk.trim()).not.toBe('');
        }
      }),
    );
  });

  test('cuts at the ends of sentences', () => {
    const sentence = 'The quick brown fox jumps over the lazy dog near the river. ';
    const chunks = splitIntoChunks(sentence.repeat(60));
    expect(chunks.length).toBeGreaterThan(2);
    for (const chunk of chunks) expect(chunk.trimEnd().endsWith('.')).toBe(true);
  });

  test('begins a chunk with a heading where one stands', () => {
    const section = (name: string) => `## ${name}\n\n${'Words that fill the section up. '.repeat(20)}\n\n`;
    const chunks = splitIntoChunks(section('One') + section('Two') + section('Three'));
    expect(chunks.filter((chunk) => chunk.startsWith('## ')).length).toBe(chunks.length);
  });

  test('cuts two million characters of every awkward kind in time that grows with their number', () => {
    // Quadratic time would run into the time limit of the test.
    for (const unit of ['a', ' ', '.', '\n', '漢', 'a ', 'a.', '" ', '𝄞', 'я']) {
      const text = unit.repeat(2_000_000 / unit.length);
      expect(splitIntoChunks(text).join('').length).toBe(text.length);
    }
  });
});
