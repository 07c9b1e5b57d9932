import { createCore, locateExcerpt } from '@recollect/core';
import { createFakeModel } from '@recollect/core/testing';
import { openStorage } from '@recollect/storage';
import fc from 'fast-check';
import { expect, test } from 'vitest';

const USER = 'local';

test('MCP-1, QRY-9: the passage and the place of its excerpt are found in a long text', async () => {
  const storage = await openStorage({ url: 'sqlite::memory:', readers: 0 });
  const core = createCore(storage);
  try {
    const words = fc.array(
      fc.constantFrom('kettle', 'leaf', 'water', '𝄞clef', 'naïve', '**bold**', '[link](https://a.example/b)'),
      {
        minLength: 1,
        maxLength: 600,
      },
    );
    let number = 0;
    await fc.assert(
      fc.asyncProperty(words, words, fc.nat(80), async (before, after, times) => {
        number += 1;
        const needle = `needle${number}x`;
        const text = `${Array.from({ length: times }, () => before.join(' ')).join('.\n\n')}\n\n# The ${needle} stands here\n\n${after.join(' ')}`;
        await core.capture(USER, [{ pageText: text, title: 'Haystack' }]);
        const { answer, chunks } = await core.query(USER, needle);
        expect(answer.results).toHaveLength(1);
        const [{ excerpt, match } = { excerpt: '', match: { passage: { start: -1, end: -1 } } }] = answer.results;
        const [chunk = ''] = chunks;
        expect(text.slice(match.passage.start, match.passage.end)).toBe(chunk);
        const offset = match.passage.start + locateExcerpt(chunk, excerpt);
        const at = text.indexOf(needle);
        expect(offset).toBeLessThanOrEqual(at);
        // A chunk is at most some 2,000 characters long, and usually the offset is within a line.
        expect(at - offset).toBeLessThan(2_500);
        expect(text.slice(offset).isWellFormed()).toBe(true);
      }),
      { numRuns: 25 },
    );
    const { chunks } = await core.query(USER, 'source:note');
    expect(new Set(chunks)).toEqual(new Set(['']));
  } finally {
    await storage.close();
  }
});

test('QRY-3: late interaction ranks the others when the model knows no word of one', async () => {
  const storage = await openStorage({ url: 'sqlite::memory:', readers: 0 });
  const fake = createFakeModel();
  const vectorOf = async (text: string) => (await fake.embed([text], { purpose: 'query' }))[0] ?? new Float32Array();
  /** The signs of one token each, which agree with the query's or not; none for the last. */
  const signs = { right: [0xff], wrong: [0x00], '🦄': [] };
  const signsOf = (text: string) => Object.entries(signs).find(([word]) => text.includes(word))?.[1] ?? [];
  const late = {
    weight: 0.3,
    embedQuery: async (text: string) => ({ vector: await vectorOf(text), tokens: new Float32Array(64).fill(1 / 8) }),
    embedPassages: (texts: readonly string[]) =>
      Promise.all(
        texts.map(async (text) => ({
          vector: await vectorOf(text),
          signs: Uint8Array.from(signsOf(text).flatMap((byte) => Array(8).fill(byte))),
        })),
      ),
  };
  const core = createCore({ ...storage, embeddingModel: { ...fake, late } });
  try {
    // Without late interaction, the newest of what is equally good comes first.
    for (const text of ['tea right', 'tea wrong', 'tea 🦄'])
      await core.capture(USER, [{ pageText: `${text}, and steeped long`, title: 'Tea' }]);
    const { answer } = await core.query(USER, 'tea');
    expect(answer.results[0]?.excerpt).toContain('right');
    expect(answer.results).toHaveLength(3);
  } finally {
    await storage.close();
  }
});
