import { expect, test } from 'vitest';
import { keepHtml } from '../src/app/markdown/keep-html.js';

test.each([
  ['<kbd>Ctrl</kbd>', '<kbd>Ctrl</kbd>'],
  ['<details open>\n<summary>More</summary>', '<details open>\n<summary>More</summary>'],
  ['<H1 align="center">Title</H1>', '<h2 align="center">Title</h2>'],
  ['<a title="a > b" href=\'x\'>', "<a href='x'>"],
  ['<td onclick="alert(1)" colspan=2 style="x: y" data-href="z">', '<td colspan=2>'],
  ['<img alt="x onerror=y" src=a.png/>', '<img alt="x onerror=y" src=a.png/>'],
  ['a <!-- nothing --> b', 'a  b'],
  ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
  ['Map<string, Array<T>>', 'Map&lt;string, Array&lt;T&gt;&gt;'],
  ['<p-list>', '&lt;p-list&gt;'],
  ['<form action="https://a.example"><b>x</b>', '&lt;form action=&quot;https://a.example&quot;&gt;<b>x</b>'],
  ['<p title="never ends', '&lt;p title=&quot;never ends'],
  ['1 < 2 &amp; 3', '1 &lt; 2 &amp; 3'],
])('%j is kept as %j', (html, kept) => {
  expect(keepHtml(html)).toBe(kept);
});

test('takes linear time for tags that never end', () => {
  for (const part of ['<p "', '<!--', "<a '", '<', '<p a='])
    expect(keepHtml(part.repeat(20_000)).length).toBeGreaterThan(20_000);
});
