import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';
import { minilm } from '@recollect/models/minilm';
import { multilingual } from '@recollect/models/multilingual';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createUnigram, loadTokenizer, readTokenizerData } from '../src/tokenizer/load-tokenizer.js';

const word = fc.oneof(
  fc.lorem({ maxCount: 1 }),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.constantFrom(
    ...[
      'Steuererklärung,',
      'ﬁn',
      '東京都は日本の首都です。',
      'ｶﾀｶﾅ',
      '한국어',
      'Ελλάδα',
      'Москва́',
      'İstanbul',
      '½',
      '～',
    ],
    ...['don’t', 'e\u0301te\u0301', '👩🏽‍🚀', '𝄞', '\u00ad', '\u2581', '[MASK]', 'a'.repeat(130), 'ไทย', '١٢٣'],
  ),
);
const text = fc.array(word, { maxLength: 20 }).map((words) => words.join(' '));

describe.each([
  ['WordPiece', minilm],
  ['Unigram', multilingual],
] as const)('loadTokenizer, %s', (_, { folder }) => {
  const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'));
  const library = new Tokenizer(read('tokenizer.json'), read('tokenizer_config.json'));
  const tokenizer = loadTokenizer(folder);

  test('gives the ids and pieces that the library gives', () => {
    fc.assert(
      fc.property(text, fc.boolean(), (some, isBare) => {
        const { ids, tokens } = library.encode(some, { add_special_tokens: !isBare });
        expect(tokenizer.encode(some, { isBare })).toEqual({ ids, pieces: tokens });
      }),
      { numRuns: 300 },
    );
  });

  test('knows the special tokens', () => {
    const { ids } = tokenizer.encode('');
    expect(ids.filter((id) => !tokenizer.special.has(id))).toEqual([]);
    expect(ids).toHaveLength(2);
  });
});

test('the names of special tokens are words like others in a text', () => {
  const { encode, special } = loadTokenizer(multilingual.folder);
  const { ids, pieces } = encode('struck <s>out</s> <mask>', { isBare: true });
  expect(ids.filter((id) => special.has(id))).toEqual([]);
  expect(pieces.join('')).toBe('▁struck▁<s>out</s>▁<mask>');
});

describe('readTokenizerData', () => {
  const data = (vocab: unknown, type = 'Unigram') => JSON.stringify({ added_tokens: [], model: { type, vocab } });

  test('reads the pieces of a Unigram model apart from the rest', () => {
    const vocab = [
      ['<unk>', 0],
      ['"\\', -1.5e-3],
      ['▁, [', -12],
    ];
    for (const json of [data(vocab), JSON.stringify(JSON.parse(data(vocab)), null, 2)]) {
      const read = readTokenizerData(json);
      expect(read.data.model.vocab).toEqual([]);
      expect([...(read.vocabulary ?? [])]).toEqual(vocab);
    }
  });

  test('leaves unknown configurations to the library', () => {
    for (const vocab of [{ tea: 0 }, [['tea', null]], [['tea', -1], 'pot']]) {
      const read = readTokenizerData(data(vocab));
      expect([read.vocabulary, read.data.model.vocab]).toEqual([null, vocab]);
    }
    expect(readTokenizerData(data([['tea', -1]], 'BPE')).vocabulary).toBeNull();
  });
});

describe('createUnigram', () => {
  const { pieces } = createUnigram(
    [
      ['<unk>', 0],
      ['▁', -4],
      ['t', -5],
      ['ea', -5],
      ['▁t', -6],
      ['▁tea', -8],
      ['pot', -9],
    ],
    0,
  );

  test('takes the pieces whose probabilities have the greatest product', () => {
    expect(pieces('▁teapot')).toEqual(['▁tea', 'pot']);
    expect(pieces('▁tt')).toEqual(['▁t', 't']);
    expect(pieces('')).toEqual([]);
  });

  test('turns a character that is in no piece into its own piece, regardless of its width', () => {
    expect(pieces('▁x𝄞tea')).toEqual(['▁', 'x', '𝄞', 't', 'ea']);
  });

  test('splits a word of a million characters', () => {
    expect(pieces(`▁${'tea'.repeat(333_333)}`)).toHaveLength(1 + 2 * 333_332);
  });
});
