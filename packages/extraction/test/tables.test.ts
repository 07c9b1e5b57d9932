import { expect, test } from 'vitest';
import { toMarkdown } from '../src/dom/to-markdown.js';
import { parsePage } from '../src/parse-page.js';

test('CAP-2: tables that lay out a page become paragraphs, however many levels of them there are', () => {
  const figures = '<table><tr><th>Oil</th><th>Hours</th></tr><tr><td>Whale</td><td>9</td></tr></table>';
  // Each level once doubled the time: forty of them had no end.
  const nested = `${'<table><caption>Lamps</caption><tr><td>Menu</td><td>'.repeat(40)}${figures}${'</td></tr></table>'.repeat(40)}`;
  const text = toMarkdown(parsePage(`<body>${nested}</body>`).body, 'https://lamps.example/');
  expect(text.match(/Menu/g)).toHaveLength(40);
  expect(text).toMatch(/Lamps\n\nMenu\n\n\| Oil \| Hours \|\n\| --- \| --- \|\n\| Whale \| 9 \|$/);
});
