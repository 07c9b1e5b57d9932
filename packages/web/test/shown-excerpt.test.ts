import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromFirstMatch, shownExcerpt } from '../src/app/list/shown-excerpt.js';

test('a row shows the question of a conversation, no title twice, and no boxes', () => {
  const shown = (title: string, excerpt: string) => shownExcerpt({ title, excerpt });
  expect(shown('Tea', 'user: How hot? assistant: 70 degrees. user: Thanks')).toBe('How hot?');
  expect(shown('Tea', 'Tea Steep it.')).toBe('Steep it.');
  expect(shown('Tea', 'Tea')).toBe('');
  expect(shown('Te', 'Tea is steeped.')).toBe('Tea is steeped.');
  expect(shown('tar', 'tar -xf a.tar')).toBe('tar -xf a.tar');
  expect(shown('Tea', 'Tea - how to steep it')).toBe('how to steep it');
  expect(shown('Recollect', 'Recollect is a memory that you own.')).toBe('Recollect is a memory that you own.');
  expect(shown('Recollect', "Recollect's memory is yours.")).toBe("Recollect's memory is yours.");
  expect(shown('Tea', 'Tea, once steeped, cools.')).toBe('Tea, once steeped, cools.');
  expect(shown('Tea', 'Tea (green) cools.')).toBe('Tea (green) cools.');
  expect(shown('Tea', 'Tea: a story')).toBe('a story');
  expect(shown('List', 'List: [ ] tea')).toBe('tea');
  expect(shown('List', '[x] tea [ ] rice')).toBe('tea · rice');
  expect(shown('Tea', '…as the user: said')).toBe('…as the user: said');
});

test('a row shows nothing that is not in the excerpt', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (title, excerpt) => {
      expect(shownExcerpt({ title, excerpt }).length).toBeLessThanOrEqual(excerpt.length);
    }),
  );
});

test('a narrow row begins shortly before the first match', () => {
  const before = 'It covers all fonts of Latin, Greek and Cyrillic letters, and';
  const shown = fromFirstMatch(`${before} prints on any paper.`, 'print');
  expect(shown).toMatch(/^…\S.* prints on any paper\.$/);
  expect(shown.indexOf('prints')).toBeLessThanOrEqual(31);
  expect(fromFirstMatch('It prints on paper.', 'paper')).toBe('It prints on paper.');
  expect(fromFirstMatch(`${before} more`, 'paper')).toBe(`${before} more`);
  expect(fromFirstMatch(`${'x'.repeat(60)}-paper`, 'paper')).toBe('…paper');
});
