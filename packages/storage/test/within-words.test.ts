import { createCore, LOCAL_USER } from '@recollect/core';
import { createFakeModel } from '@recollect/core/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStorage, type Storage } from '../src/index.js';

const TEXTS = {
  Shell: 'The shell has autocompletion of names.',
  Editor: 'An editor with autocomplete and snippets.',
  Whole: 'To complete a form, sign it.',
  Club: 'Der Fußballverein trifft sich am Montag.',
  Satzung: 'Die Satzung des Vereins',
  Street: 'A street with trees',
};

let storage: Storage;
beforeAll(async () => {
  storage = await openStorage({ url: 'sqlite::memory:', readers: 0 });
  const captures = Object.entries(TEXTS).map(([title, pageText]) => ({ title, pageText }));
  await createCore(storage).capture(LOCAL_USER, captures);
});
afterAll(() => storage.close());

test.each([
  ['complet', ['Whole', 'Editor', 'Shell']],
  ['completes', ['Whole', 'Editor', 'Shell']],
  ['verein', ['Satzung', 'Club']],
  ['ballverein', ['Club']],
  ['ree', []],
  ['-complet verein', ['Satzung', 'Club']],
  ['"ballverein"', []],
])('QRY-3: %s finds longer words that have it, after all other matches', async (query, titles) => {
  const { answer } = await createCore(storage).query(LOCAL_USER, query, { prefix: true });
  const found = answer.results.map(({ title }) => title);
  expect([found[0], found.toSorted()]).toEqual([titles[0], titles.toSorted()]);
  expect(answer.results.every(({ score }, at) => at === 0 || score <= (answer.results[at - 1]?.score ?? 0))).toBe(true);
});

test('QRY-3: a match within a word is one of its terms, and in its excerpt', async () => {
  const filler = 'Nothing to see here at all. '.repeat(20);
  await createCore(storage).capture(LOCAL_USER, [
    { title: 'Long', pageText: `${filler}Zugzwänge sind selten. ${filler}` },
  ]);
  const { answer } = await createCore(storage).query(LOCAL_USER, 'zwange');
  expect(answer.results).toMatchObject([{ title: 'Long', match: { terms: ['zwange'] } }]);
  expect(answer.results[0]?.excerpt).toContain('Zugzwänge');
});

test('QRY-3: with vectors too, a match within a word is shown', async () => {
  const other = await openStorage({ url: 'sqlite::memory:', readers: 0 });
  try {
    const core = createCore({ ...other, embeddingModel: createFakeModel() });
    await core.capture(
      LOCAL_USER,
      Object.entries(TEXTS).map(([title, pageText]) => ({ title, pageText })),
    );
    const { results } = (await core.query(LOCAL_USER, 'ballverein')).answer;
    expect(results.find(({ title }) => title === 'Club')?.score).toBeGreaterThan(0.1);
  } finally {
    await other.close();
  }
});
