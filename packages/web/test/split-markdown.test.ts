import { expect, test } from 'vitest';
import { splitMarkdown } from '../src/app/markdown/split-markdown.js';

const split = (text: string) => Array.from(splitMarkdown(text), (piece) => piece.text);
const paragraphs = (count: number) => 'Some words of a paragraph.\n\n'.repeat(count);

test('splits a long text between its paragraphs, and keeps all of it', () => {
  const text = paragraphs(1_000);
  const pieces = split(text);
  expect(pieces.length).toBeGreaterThan(3);
  expect(pieces.join('')).toBe(text);
});

test('says where the text of each piece begins', () => {
  const long = 'A long line. '.repeat(3_000);
  const program = `\`\`\`\n${'let a = 1;\n'.repeat(4_000)}\`\`\`\n`;
  const text = `${paragraphs(300)}${long}\n${program}${long}`;
  const pieces = [...splitMarkdown(text)];
  const starts = pieces.map(({ start }) => start);
  expect(starts).toEqual(starts.toSorted((a, b) => a - b));
  // Behind the repeated opening of a program.
  for (const { start, text: piece } of pieces)
    expect(piece.slice(0, 20)).toContain(text.slice(start, start + Math.min(12, piece.length)));
});

test('does not split foldable blocks, unless they are very long', () => {
  const folded = `<details>\n<summary>More</summary>\n\n${paragraphs(300)}</details>\n\n`;
  expect(split(`${paragraphs(200)}${folded}${paragraphs(200)}`).filter((piece) => piece.includes('details>'))).toEqual([
    expect.stringContaining(folded),
  ]);
  expect(split(`<details>\n\n${paragraphs(2_000)}`).length).toBeGreaterThan(2);
});

test('repeats the opening of a program and the head of a table, and takes indentation off other blocks', () => {
  const lines = (line: string) => `${line}\n`.repeat(3_000);
  const [, program] = split(`\`\`\`js\n${lines('let a = 1;')}\`\`\`\n`);
  expect(program).toMatch(/^```js\nlet a/);
  const [, table] = split(`| a |\n|---|\n${lines('| value |')}`);
  expect(table).toMatch(/^\| a \|\n\|---\|\n\| value/);
  const [, html] = split(`<table>\n${lines('    <tr><td>x</td></tr>')}</table>\n`);
  expect(html).toMatch(/^<tr>/);
});
