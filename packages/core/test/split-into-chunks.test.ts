import { createFakeModel } from '@recollect/core/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chunkSizesFor, splitIntoChunks } from '../src/chunking/chunk-text.js';

const sizes = chunkSizesFor(null);
const split = (text: string) => splitIntoChunks(text, sizes);

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
  test('CAP-11: the joined chunks equal the text, for any text', async () => {
    await fc.assert(
      fc.asyncProperty(prose, async (text) => {
        expect((await split(text)).join('')).toBe(text);
      }),
    );
  });

  test('no chunk exceeds the limit of the model, no chunk is blank, and no character is split', async () => {
    await fc.assert(
      fc.asyncProperty(prose, async (text) => {
        fc.pre(text.trim() !== '' && text.isWellFormed());
        for (const chunk of await split(text)) {
          // Each sentence of the chunk was rounded up.
          expect(sizes.countTokens(chunk)).toBeLessThanOrEqual(sizes.maximum);
          expect(chunk.isWellFormed()).toBe(true);
          expect(chunk.trim()).not.toBe('');
        }
      }),
    );
  });

  test('cuts at the ends of sentences', async () => {
    const sentence = 'The quick brown fox jumps over the lazy dog near the river. ';
    const chunks = await split(sentence.repeat(60));
    expect(chunks.length).toBeGreaterThan(2);
    for (const chunk of chunks) expect(chunk.trimEnd().endsWith('.')).toBe(true);
  });

  test('cuts no word that has a full stop in it, such as an address', async () => {
    const link = '[the manual](https://docs.example/v3.11/sect.kernel-installation.html) of Node.js 22.12 ';
    const words = new Set(link.trim().split(' '));
    for (const chunk of await split(link.repeat(60)))
      for (const word of chunk.trim().split(/\s+/)) expect(words).toContain(word);
  });

  test('a few words at the end do not form a chunk', async () => {
    const sentence = 'The quick brown fox jumps over the lazy dog near the river. ';
    const lengths = Array.from({ length: 60 }, (_, more) => split(`${sentence.repeat(30 + more)}The end.`));
    for (const chunks of await Promise.all(lengths)) expect(chunks.at(-1)?.length).toBeGreaterThan(sentence.length);
  });

  test('starts a new chunk at a heading', async () => {
    const section = (name: string) => `## ${name}\n\n${'Words that fill the section up. '.repeat(20)}\n\n`;
    const chunks = await split(section('One') + section('Two') + section('Three'));
    expect(chunks.filter((chunk) => chunk.startsWith('## ')).length).toBe(chunks.length);
  });

  test('splits two million characters of every awkward kind in linear time', async () => {
    const length = process.env.LONG === '1' ? 2_000_000 : 400_000;
    // Quadratic time would exceed the time limit of the test.
    for (const unit of ['a', ' ', '.', '\n', '漢', 'a ', 'a.', '" ', '𝄞', 'я']) {
      const text = unit.repeat(length / unit.length);
      expect((await split(text)).join('').length).toBe(text.length);
    }
  });

  test('other work gets turns while a long text is split', async () => {
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    const slow = {
      ...sizes,
      countTokens(text: string) {
        for (const until = performance.now() + 0.1; performance.now() < until; );
        return sizes.countTokens(text);
      },
    };
    await splitIntoChunks('Some words of a long text. '.repeat(2_000), slow);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(3);
  });
});

describe('chunkSizesFor', () => {
  const modelOf = (maxTokens: number, document = '') => {
    const model = createFakeModel();
    return { ...model, profile: { ...model.profile, maxTokens, prefixes: { query: '', document } } };
  };

  test('leaves room for title, overlap, prefix and special tokens', () => {
    expect(chunkSizesFor(modelOf(256)).maximum).toBe(256 - 30 - 30 - 2);
    expect(chunkSizesFor(modelOf(128, 'passage: ')).maximum).toBe(128 - 30 - 30 - 2 - 2);
    expect(chunkSizesFor(modelOf(128)).target).toBe(Math.floor(0.9 * 66));
  });

  test('does not grow with models that read more, and stays usable for those that read little', () => {
    expect(chunkSizesFor(modelOf(8_192)).maximum).toBe(chunkSizesFor(modelOf(256)).maximum);
    expect(chunkSizesFor(modelOf(16)).maximum).toBe(30);
  });
});
