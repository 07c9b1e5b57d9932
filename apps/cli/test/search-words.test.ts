import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Cli, createCli } from './run-cli.js';

const NOTICE =
  'The town library closes on Friday at noon, because its roof is repaired, and it opens again on the following Monday at nine.';
const MEMORIES = {
  Streets: 'Die Straßenreinigung kommt am Dienstag.',
  Breakfast: "Un œuf et du pain, s'il vous plaît.",
  Gifts: "Søren wants a book about whales. O'Brien likes old maps. 🦄 for the kids.",
  Budget: 'The inspection of the bridge costs 48,250 euros.',
  Code: 'function parseHTTPHeaders(text) splits the block at line breaks.',
  Bees: 'The waggle dance of bees encodes direction and distance.',
  Notice: `${NOTICE} Readers return their books by Thursday.`,
  'Notice, again': `${NOTICE} Readers return all of their books by Thursday.`,
};

let cli: Cli;
beforeAll(async () => {
  cli = await createCli({ RECOLLECT_EMBEDDINGS: 'off' });
  for (const [title, text] of Object.entries(MEMORIES))
    await cli.run(['capture', '-', '--title', title], { input: text });
});
afterAll(() => cli.remove());

const titlesOf = async (query: string): Promise<string[]> => {
  const { out } = await cli.run(['search', '--json', '--', query]);
  return JSON.parse(out).results.map(({ title }: { title: string }) => title);
};

describe('searching by words, without a model', () => {
  test.each([
    ['strassenreinigung', 'Streets'],
    ['oeuf', 'Breakfast'],
    ['soren', 'Gifts'],
    ['obrien', 'Gifts'],
    ['48250', 'Budget'],
    ['48.250', 'Budget'],
    ['HTTPHeaders', 'Code'],
    ['http headers', 'Code'],
    ['🦄', 'Gifts'],
    ['"waggle dance"', 'Bees'],
    ['"costs 48,250 euros"', 'Budget'],
  ])('QRY-12, QRY-13: %s finds %s', async (query, title) => {
    expect(await titlesOf(query)).toEqual([title]);
  });

  test.each(['🍕', '"dance waggle"', 'bees -waggle', '"costs bridge"'])(
    'QRY-12, QRY-13: %s finds nothing',
    async (query) => {
      expect(await titlesOf(query)).toEqual([]);
    },
  );

  test('QRY-14, CLI-6: says what it searched for instead of a mistyped word, unless it is to take the words as typed', async () => {
    const { out } = await cli.run(['search', 'the Wagle dacne']);
    expect(out.split('\n')[0]).toBe('Showing results for waggle dance, not Wagle dacne.');
    expect(out).toContain('@1 Bees');
    expect((await cli.run(['search', 'wagle', '--as-typed'])).out).toBe('No matches.\n');
    for (const literally of ['"wagle"', 'dance -wagle', 'wag', 'utf8 x9', 'tag:wagle dance'])
      expect([literally, JSON.parse((await cli.run(['search', '--json', '--', literally])).out).corrected]).toEqual([
        literally,
        undefined,
      ]);
  });

  test('QRY-14, CLI-6: only suggests another word where the words as typed find something, or a real word is in no text', async () => {
    const { out } = await cli.run(['search', 'bees and their dacne']);
    expect(out.split('\n')[0]).toBe('Did you mean bees and their dance?');
    expect(out).toContain('@1 Bees');
    const { out: none, code } = await cli.run(['search', 'wiggle']);
    expect([none, code]).toEqual(['Did you mean waggle?\n\nNo matches.\n', 1]);
    expect(JSON.parse((await cli.run(['search', 'wiggle', '--json'])).out)).toMatchObject({
      suggestion: { from: 'wiggle', to: 'waggle' },
      results: [],
    });
  });

  test('QRY-15, CLI-6: says of which time the results are', async () => {
    const { out } = await cli.run(['search', 'dance this year']);
    const year = new Date().getFullYear();
    expect(out.split('\n')[0]).toBe(`Saved 1 January – 31 December ${year} only. With --as-typed, at any time.`);
    expect(out).toContain('@1 Bees');
    expect((await cli.run(['search', 'dance this year', '--as-typed'])).out).not.toContain('Saved');
    // Nothing was saved then.
    const { out: lastYear } = await cli.run(['search', 'dance last year']);
    expect([lastYear.includes('@1 Bees'), lastYear.includes('Saved')]).toEqual([true, false]);
  });

  test('QRY-12: a query of exclusions alone is searched as words, and says so', async () => {
    const { out, err } = await cli.run(['search', '--', '-waggle']);
    expect([out, err]).toEqual([
      expect.stringContaining('@1 Bees'),
      expect.stringContaining('only what must not occur'),
    ]);
  });

  test('QRY-16, CLI-6: says how many similar copies there are', async () => {
    const { out } = await cli.run(['search', 'roof of the library']);
    expect(out).toContain('@1 Notice');
    expect(out).toContain('1 similar copy');
    expect(out).not.toContain('@2');
  });
});
