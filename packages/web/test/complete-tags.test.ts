import { expect, test } from 'vitest';
import { completeTags } from '../src/app/search/suggestions.js';

const tags = ['lamp', 'oil', 'old lamps', ...Array.from({ length: 300 }, (_, at) => `tag ${at}`)].map((tag) => ({
  tag,
  memories: 1,
}));

test('completes a tag by any of its parts, the frequent ones first', () => {
  expect(completeTags(' LAM', tags)).toEqual(['lamp', 'old lamps']);
  expect(completeTags('', tags).slice(0, 2)).toEqual(['lamp', 'oil']);
});

test('finds every tag, and offers a hundred at most', () => {
  expect(completeTags('tag 299', tags)).toEqual(['tag 299']);
  expect(completeTags('tag', tags)).toHaveLength(100);
});
