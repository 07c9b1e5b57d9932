import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const folder = new URL('../src/styles/', import.meta.url);
const PHYSICAL =
  /(?:^|[\s;{])(?:(?:margin|padding|border|scroll-margin)-(?:left|right|top|bottom)|left|right|top|bottom|(?:min-|max-)?(?:width|height)|(?:text-align|float|clear):\s*(?:left|right))\s*[:;]/m;

const files = readdirSync(folder).map((name) => [name, readFileSync(new URL(name, folder), 'utf8')] as const);

test('styles were read, and a physical property would be found', () => {
  expect(files.length).toBeGreaterThan(5);
  for (const rule of ['a {\n  margin-left: 1px;\n}', 'a { width: 1px; }', 'a { text-align: left; }'])
    expect(rule).toMatch(PHYSICAL);
});

test.each(files)('%s uses logical properties only, so that it works from right to left', (_, css) => {
  expect(css).not.toMatch(PHYSICAL);
});
