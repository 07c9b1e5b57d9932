import type { CountsAnswer } from '@recollect/contract';
import { splitQuery } from '@recollect/contract/query-syntax';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { complete, suggest } from '../src/app/search/suggestions.js';

const counts: CountsAnswer = {
  total: 9,
  sourceTypes: [{ value: 'note', count: 4 }],
  sites: [
    { value: 'lamps.example', count: 5 },
    { value: 'example.lamps', count: 2 },
  ],
  tags: [],
  months: [{ value: '2026-03', count: 2 }],
  keys: [],
  clients: [
    { client: 'web', name: null, count: 3 },
    { client: 'mcp', name: 'Claude', count: 1 },
  ],
};
const tags = [
  { tag: 'old lamps', memories: 4 },
  { tag: 'lamp', memories: 3 },
  { tag: 'tea', memories: 1 },
];
const labels = (typed: string) => suggest(typed, counts, tags).map(({ label }) => label);

describe('suggestions', () => {
  test('complete the name of an operator from its second letter', () => {
    expect(labels('green ta')).toEqual(['tag:']);
    expect(labels('si')).toEqual(['site:']);
    expect(labels('t')).toEqual([]);
    expect(labels('table')).toEqual([]);
    expect(labels('ta ')).toEqual([]);
  });

  test('complete a value that exists, those that begin with it first', () => {
    expect(labels('x tag:LAM')).toEqual(['tag:lamp', 'tag:"old lamps"']);
    expect(labels('site:lam')).toEqual(['site:lamps.example', 'site:example.lamps']);
    expect(labels('by:')).toEqual(['by:web', 'by:mcp:Claude']);
    expect(labels('by:mcp:cl')).toEqual(['by:mcp:Claude']);
    expect(labels('after:2026')).toEqual(['after:2026-03']);
    expect(labels('source:')).toEqual(['source:note']);
    expect(labels('http:')).toEqual([]);
    expect(labels('x tag:"old l')).toEqual(['tag:"old lamps"']);
    expect(labels('x tag:"old lamps"')).toEqual([]);
  });

  test('complete an operator after a minus', () => {
    expect(labels('green -ta')).toEqual(['-tag:']);
    expect(labels('green -be')).toEqual([]);
    expect(labels('x -tag:LAM')).toEqual(['-tag:lamp', '-tag:"old lamps"']);
    expect(complete('x -tag:lam', { text: '-tag:lamp', label: '', isComplete: true })).toBe('x -tag:lamp');
  });

  test('offer the fixed values before the counts are known', () => {
    expect(suggest('source:', null, null).length).toBeGreaterThan(3);
    expect(suggest('by:w', null, null).map(({ text }) => text)).toEqual(['by:web']);
    expect(suggest('tag:l', null, null)).toEqual([]);
  });

  test('show at most eight', () => {
    const many = Array.from({ length: 30 }, (_, index) => ({ tag: `tag${index}`, memories: 1 }));
    expect(suggest('tag:t', counts, many)).toHaveLength(8);
  });

  test('replace the last word by an operator, and leave the others', () => {
    const value = fc.string({ unit: 'grapheme', minLength: 1 }).filter((tag) => tag.trim() !== '');
    fc.assert(
      fc.property(value, fc.constantFrom('green tag:', 'green tag:"'), (tag, typed) => {
        const [suggestion] = suggest(typed, counts, [{ tag, memories: 1 }]);
        if (suggestion === undefined) throw new Error('Nothing was suggested.');
        expect(splitQuery(complete(typed, suggestion))).toEqual({
          operators: [{ name: 'tag', value: tag }],
          words: 'green',
        });
      }),
    );
  });
});
