import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareTexts, condense, type Part } from '../src/app/versions/compare-texts.js';

const line = fc.array(fc.constantFrom('green', 'tea', 'is', 'steeped', '東京', ' ', '🎈', ''), { maxLength: 8 });
const text = fc.array(line, { maxLength: 12 }).map((lines) => lines.map((words) => words.join(' ')).join('\n'));
const textOf = (parts: readonly Part[], ...kinds: Part['kind'][]) =>
  parts
    .filter(({ kind }) => kinds.includes(kind))
    .map((part) => part.text)
    .join('');

test('a comparison contains all of both texts', async () => {
  await fc.assert(
    fc.asyncProperty(text, text, async (before, after) => {
      const parts = await compareTexts(before, after);
      expect(textOf(parts, 'same', 'removed')).toBe(before);
      expect(textOf(parts, 'same', 'added')).toBe(after);
      expect(parts.every((part) => part.text !== '')).toBe(true);
      if (before === after) expect(parts.every(({ kind }) => kind === 'same')).toBe(true);
    }),
  );
});

test('changed lines are compared word by word, unless they have little in common', async () => {
  expect(await compareTexts('One.\nGreen tea is steeped.\nEnd.', 'One.\nBlack tea is steeped.\nEnd.')).toEqual([
    { kind: 'same', text: 'One.\n' },
    { kind: 'removed', text: 'Green' },
    { kind: 'added', text: 'Black' },
    { kind: 'same', text: ' tea is steeped.\nEnd.' },
  ]);
  expect(await compareTexts('Otters rest together.', 'Granite is mined in the south.')).toEqual([
    { kind: 'removed', text: 'Otters rest together.' },
    { kind: 'added', text: 'Granite is mined in the south.' },
  ]);
});

test('very large texts are compared in bounded time, with pauses', async () => {
  const page = (seed: number) =>
    Array.from({ length: 30_000 }, (_, at) => `Line ${at} of a page with the number ${(at * seed) % 9973} in it.`).join(
      '\n',
    );
  const before = page(7);
  expect(before.length).toBeGreaterThan(1_000_000);
  const small = await compareTexts(before, before.replace('Line 15000 of', 'Line 15000 in'));
  expect(small.map(({ kind }) => kind)).toEqual(['same', 'removed', 'added', 'same']);
  const other = await compareTexts(before, page(11));
  // A line in seven is the same, which a comparison without a bound finds after minutes.
  expect(other.filter(({ kind }) => kind === 'same').length).toBeLessThan(10);
  expect(textOf(other, 'same', 'removed')).toBe(before);
  const shown = condense(other);
  const length = shown.reduce((sum, part) => sum + ('text' in part ? part.text.length : 0), 0);
  expect(length).toBeLessThan(100_000);
});

test('long passages that did not change are left out between changes', async () => {
  const long = 'word '.repeat(400).trim();
  const before = `a\n${long}\nb\n${long}`;
  const shown = condense(await compareTexts(before, `A\n${long}\nB\n${long}`));
  expect(shown.filter((part) => part.kind === 'skipped').length).toBe(2);
  const lengths = shown
    .filter((part) => part.kind !== 'added')
    .map((part) => ('text' in part ? part.text.length : part.characters));
  expect(lengths.reduce((sum, length) => sum + length)).toBe(before.length);
});
