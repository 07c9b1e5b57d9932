import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Tokenizer } from '@huggingface/tokenizers';
import { minilm } from '@recollect/models/minilm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createTokenCounter } from '../src/tokenizer/token-counter.js';

const read = (file: string) => JSON.parse(readFileSync(join(minilm.folder, file), 'utf8'));
const tokenizer = new Tokenizer(read('tokenizer.json'), read('tokenizer_config.json'));
const encode = (text: string) => tokenizer.encode(text, { add_special_tokens: false }).ids.length;
const countTokens = createTokenCounter(minilm.folder);

const word = fc.oneof(
  fc.lorem({ maxCount: 1 }),
  fc.constantFrom(
    'Steeped,',
    '(below)',
    'Straßenbahn',
    'été',
    '東京都',
    '𝄞',
    'well-kept',
    'e.g.',
    'don’t',
    'internationalisation',
  ),
  fc.nat(9_999).map(String),
  fc.stringMatching(/^[a-z,.;!?'"()-]{1,24}$/),
);

describe('createTokenCounter', () => {
  test('counts words exactly as the tokenizer does', () => {
    fc.assert(
      fc.property(fc.array(word, { maxLength: 60 }), (words) => {
        const text = words.join(' ');
        expect(countTokens(text)).toBe(encode(text));
      }),
    );
  });

  test('counts long numbers, hashes, encoded data and URLs by their length, close to the tokenizer', () => {
    const run = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 30, maxLength: 90 });
    fc.assert(
      fc.property(fc.array(run, { minLength: 20, maxLength: 40 }), (runs) => {
        const text = runs.join(' ');
        const ratio = countTokens(text) / encode(text);
        expect(ratio).toBeGreaterThan(0.8);
        expect(ratio).toBeLessThan(1.6);
      }),
      { numRuns: 20 },
    );
    expect(countTokens('a'.repeat(10_000))).toBe(100);
    expect(countTokens('https://a.example/b?c=1')).toBeGreaterThanOrEqual(encode('https://a.example/b?c=1') - 1);
  });

  test('counts text without spaces in parts, and an empty text as nothing', () => {
    expect(countTokens('')).toBe(0);
    expect(countTokens(' \n ')).toBe(0);
    expect(countTokens('漢'.repeat(10_000))).toBe(10_000);
  });

  test('tokenizes nothing for data of which no two pieces are the same', () => {
    const lazy = createTokenCounter('/there is no model here');
    const hash = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 40, maxLength: 40 });
    fc.assert(fc.property(hash, (text) => lazy(`f${text}0`) > 0));
  });

  test('keeps no text that it has counted', { tags: 'long' }, () => {
    setFlagsFromString('--expose_gc');
    const collect: () => void = runInNewContext('gc');
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let at = 0; at < 60; at++) {
      const letters = [...String(at)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
      countTokens(`${`Some text ${at}. `.repeat(20_000)} unrepeatable${letters}`);
    }
    collect();
    expect((process.memoryUsage().heapUsed - before) / 1_048_576).toBeLessThan(9);
  });
});
