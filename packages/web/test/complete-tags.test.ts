import { expect, test } from 'vitest';
import { completeTags } from '../src/app/search/suggestions.js';

const tags = ['lamp', 'oil', 'old lamps', ...Array.from({ length: 300 }, (_, at) => `tag ${at}`)].map((tag) => ({
  tag,
  memories: 1,
}));

test('completes the last of several tags, and leaves the others', () => {
  expect(completeTags('LAM', tags)).toEqual(['lamp', 'old lamps']);
  expect(completeTags('oil,lam', tags)).toEqual(['oil, lamp', 'oil, old lamps']);
  expect(completeTags('', tags, ['lamp']).slice(0, 2)).toEqual(['oil', 'old lamps']);
});

test('finds every tag, and offers a hundred at most', () => {
  expect(completeTags('tag 299', tags)).toEqual(['tag 299']);
  expect(completeTags('tag', tags)).toHaveLength(100);
});
