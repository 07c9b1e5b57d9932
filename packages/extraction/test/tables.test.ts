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

test('CAP-2: a table cell that contains the text of the page is not read as a table row', () => {
  const page =
    '<h2>Guide</h2><p>First do this.</p><ul><li>One</li><li>Two</li></ul><p>Then do that, and go on until it is done.</p>';
  const layout = `<table><tr><td>Logo</td><td></td></tr><tr><td>Menu</td><td>${page}</td></tr></table>`;
  const facts =
    '<table><tr><th>Oil</th><td>Whale</td></tr><tr><th>Uses</th><td><ul><li>Lamps</li><li>Soap</li></ul></td></tr></table>';
  const text = (table: string) => toMarkdown(parsePage(`<body>${table}</body>`).body, 'https://lamps.example/');
  expect(text(layout)).toMatch(/^Logo\n\nMenu\n\n## Guide\n\nFirst do this\.\n\n- +One\n- +Two\n\nThen do that/);
  expect(text(facts)).toContain('| Uses |');
});
