import { expect, test } from 'vitest';
import { mergeLinks, mergeTexts } from '../src/transfer/merge-links.js';

const link = (url: string, title: string, more = {}) => ({
  capture: { url, title, pageText: title, captureMode: 'page' as const, ...more },
  isLink: true,
});

test('IMP-3: links to one address become one with all words, tags and notes', () => {
  const first = link('https://a.example/', 'Green tea', {
    tags: ['x'],
    note: 'One',
    capturedAt: '2024-03-02T00:00:00Z',
  });
  const second = link('https://a.example/?utm_source=b', 'How to steep', {
    pageText: 'How to steep\n\nBelow boiling.',
    tags: ['y', 'X'],
    note: 'Two',
    capturedAt: '2024-03-01T00:00:00Z',
  });
  const merged = mergeLinks([first, link('https://b.example/', 'B'), { ...second, isStarred: true }]);
  expect(merged).toMatchObject([
    {
      capture: {
        url: 'https://a.example/',
        title: 'Green tea · How to steep',
        pageText: 'Green tea · How to steep\n\nBelow boiling.',
        tags: ['x', 'y'],
        note: 'One\n\nTwo',
        capturedAt: '2024-03-01T00:00:00Z',
      },
      isStarred: true,
    },
    { capture: { title: 'B' } },
  ]);
  expect(merged).toHaveLength(2);
});

test('IMP-3: parts of a page with different fragments, and pages, stay apart', () => {
  const items = [
    link('https://a.example/#b', 'B'),
    link('https://a.example/#c', 'C'),
    link('https://a.example/', 'A'),
    { capture: { url: 'https://a.example/', title: 'Page', pageText: 'The page itself' } },
  ];
  expect(mergeLinks(items)).toEqual(items);
});

test.each([
  ['Tea', 'tea', 'Tea'],
  ['Tea', 'All about tea', 'All about tea'],
  ['https://a.example/', 'Tea', 'Tea'],
  ['Tea', 'https://a.example/', 'Tea'],
  ['Tea', '', 'Tea'],
])('IMP-3: the title of links that are called %j and %j', (one, other, title) => {
  expect(mergeTexts({ title: one, pageText: one }, { title: other, pageText: other })).toEqual({
    title,
    pageText: title,
  });
});
