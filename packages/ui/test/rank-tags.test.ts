import { expect, test } from 'vitest';
import { rankTags } from '../src/rank-tags.js';

const at = (tag: string, day: string) => ({ tag, newestAt: `2026-01-${day}T10:00:00Z` });
const tags = [
  at('tea', '01'),
  at('dev/databases', '02'),
  at('databases', '03'),
  at('metadata', '04'),
  at('Data', '05'),
];

test('SYS-42: tags that begin with the text come first, then parts, contained texts and letters in order', () => {
  expect(rankTags('data', tags)).toEqual(['Data', 'databases', 'dev/databases', 'metadata']);
  expect(rankTags('dvd', tags)).toEqual(['dev/databases']);
  expect(rankTags('DEV/', tags)).toEqual(['dev/databases']);
  expect(rankTags('xyz', tags)).toEqual([]);
});

test('SYS-42: without a text, the last used tag comes first', () => {
  expect(rankTags(' ', tags)).toEqual(['Data', 'metadata', 'databases', 'dev/databases', 'tea']);
});
