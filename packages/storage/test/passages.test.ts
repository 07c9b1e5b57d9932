import { createCore, estimateTokens } from '@recollect/core';
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
        const { answer, passages } = await core.query(USER, needle, { passages: {} });
        expect(answer.results).toHaveLength(1);
        const [{ excerpt, match } = { excerpt: '', match: { passage: { start: -1, end: -1 } } }] = answer.results;
        const at = text.indexOf(needle);
        expect(match.passage.start).toBeLessThanOrEqual(at);
        expect(match.passage.end).toBeGreaterThan(at);
        const [{ text: passage, offset, sections } = { text: '', offset: -1, sections: [''] }] = passages;
        expect(passage).toBe(excerpt);
        expect(sections).toEqual(offset < text.indexOf('# The') ? [] : [`The ${needle} stands here`]);
        expect(offset).toBeLessThanOrEqual(at);
        // A chunk is at most some 2,000 characters long, and usually the offset is within a line.
        expect(at - offset).toBeLessThan(2_500);
        expect(text.slice(offset).isWellFormed()).toBe(true);
        const tokens = 20 + (number % 40) ** 2;
        const [wide] = (await core.query(USER, needle, { passages: { tokens } })).passages;
        const part = wide?.text ?? '';
        expect(text.slice(wide?.offset).startsWith(part)).toBe(true);
        expect(part.isWellFormed()).toBe(true);
        expect(estimateTokens(part)).toBeLessThanOrEqual(tokens + 1);
        // It is filled: the remaining room is less than one more sentence, unless it is the whole text.
        if (part !== text) expect(estimateTokens(part)).toBeGreaterThan(Math.min(tokens - 61, tokens / 3));
      }),
      { numRuns: 25 },
    );
    const { passages } = await core.query(USER, 'source:note', { passages: { tokens: 10_000 } });
    expect(passages).toHaveLength(10);
    expect(new Set(passages.map(({ offset }) => offset))).toEqual(new Set([0]));
    const spent = passages.reduce((sum, { text }) => sum + estimateTokens(text), 0);
    expect(spent).toBeLessThanOrEqual(10_000);
    expect(await core.query(USER, 'source:note')).toMatchObject({ passages: [] });
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
    // Without late interaction, the newest of equally good results comes first.
    for (const text of ['tea right', 'tea wrong', 'tea 🦄'])
      await core.capture(USER, [{ pageText: `${text}, and steeped long`, title: 'Tea' }]);
    const { answer } = await core.query(USER, 'tea');
    expect(answer.results[0]?.excerpt).toContain('right');
    expect(answer.results).toHaveLength(3);
  } finally {
    await storage.close();
  }
});
