import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shownExcerpt } from '../src/app/list/shown-excerpt.js';

test('a row shows the question of a conversation, no title twice, and no boxes', () => {
  const shown = (title: string, excerpt: string) => shownExcerpt({ title, excerpt });
  expect(shown('Tea', 'user: How hot? assistant: 70 degrees. user: Thanks')).toBe('How hot?');
  expect(shown('Tea', 'Tea Steep it.')).toBe('Steep it.');
  expect(shown('Tea', 'Tea')).toBe('');
  expect(shown('Te', 'Tea is steeped.')).toBe('Tea is steeped.');
  expect(shown('tar', 'tar -xf a.tar')).toBe('tar -xf a.tar');
  expect(shown('Tea', 'Tea - how to steep it')).toBe('how to steep it');
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
