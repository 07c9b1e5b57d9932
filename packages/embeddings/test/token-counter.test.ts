import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';
import { minilm } from '@recollect/model-minilm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTokenCounter } from '../src/token-counter.js';

const read = (file: string) => JSON.parse(readFileSync(join(minilm.folder, file), 'utf8'));
const tokenizer = new Tokenizer(read('tokenizer.json'), read('tokenizer_config.json'));
const countTokens = createTokenCounter(minilm.folder);

const word = fc.oneof(
  fc.lorem({ maxCount: 1 }),
  fc.constantFrom('Steeped,', '(below)', 'Straßenbahn', 'été', '東京都', 'https://a.example/b?c=1', '𝄞', '2026-11-22'),
  fc.string({ minLength: 1, maxLength: 40 }),
);

test('the sum over words equals the token count of the whole text', () => {
  fc.assert(
    fc.property(fc.array(word, { maxLength: 60 }), (words) => {
      const text = words.join(' ');
      expect(countTokens(text)).toBe(tokenizer.encode(text, { add_special_tokens: false }).ids.length);
    }),
  );
});

test('counts a long run in parts, and no tokens for an empty text', () => {
  expect(countTokens('')).toBe(0);
  expect(countTokens(' \n ')).toBe(0);
  expect(countTokens('漢'.repeat(10_000))).toBe(10_000);
  expect(countTokens('a'.repeat(10_000))).toBe(50);
});
