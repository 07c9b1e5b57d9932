import { describe, expect, test, vi } from 'vitest';
import { protect } from '../src/dom/protect.js';
import { toMarkdown } from '../src/dom/to-markdown.js';
import { parsePage } from '../src/parse-page.js';

const markdown = (html: string) => toMarkdown(parsePage(`<body>${html}</body>`).body, 'https://tea.example/');

describe('CAP-2: a page is converted in linear time', () => {
  const pages: [string, number, (size: number) => string][] = [
    ['non-breaking spaces', 4_000, (size) => `<p>a${'&nbsp;'.repeat(size)}b</p>`],
    ['line breaks', 3_000, (size) => `<p>a${'<br>'.repeat(size)}b</p>`],
    ['a code block of empty lines', 10_000, (size) => `<pre>a${'\n'.repeat(size)}b</pre>`],
  ];
  test.each(pages)('%s', (_, size, page) => {
    expect((part: number) => markdown(page(part))).toTakeLinearTime(size);
  });
});

describe('CAP-2: a page is converted with one look', () => {
  const convert = (page: Document) => toMarkdown(page.body, 'https://tea.example/');

  test('at the text of a table', () => {
    const page = parsePage(`<body><table><tr>${'<td>green tea</td>'.repeat(9)}</tr></table></body>`);
    const read = vi.fn(() => 'green tea'.repeat(9));
    Object.defineProperty(page.querySelector('table'), 'textContent', { get: read });
    convert(page);
    expect(read).toHaveBeenCalledTimes(1);
  });

  test('at the items of an ordered list', () => {
    const page = parsePage(`<body><ol>${'<li>tea</li>'.repeat(9)}</ol></body>`);
    const list = page.querySelector('ol') as Element;
    let owner = Object.getPrototypeOf(list);
    while (!Object.hasOwn(owner, 'children')) owner = Object.getPrototypeOf(owner);
    const read = vi.spyOn(owner, 'children', 'get');
    try {
      convert(page);
      expect(read.mock.contexts.filter((element) => (element as Element).nodeName === 'OL').length).toBe(1);
    } finally {
      read.mockRestore();
    }
  });

  test('at the words around the readings of characters', () => {
    const page = parsePage(`<body><p>${'<ruby>茶<rt>ちゃ</rt></ruby>'.repeat(9)}</p></body>`);
    const normalize = vi.spyOn(page.querySelector('p') as Element, 'normalize');
    expect(convert(page)).toBe('茶'.repeat(9));
    expect(normalize).toHaveBeenCalledTimes(1);
  });
});

test('CAP-2: gaps in the code of a page are cut to 1,000 characters before an article is looked for', () => {
  const page = parsePage(`<body><pre>a${'\n'.repeat(3_000)}b</pre><pre>c\n\nd</pre></body>`);
  protect(page);
  const [long, short] = Array.from(page.querySelectorAll('pre'), ({ textContent }) => textContent);
  expect(long).toBe(`a${'\n'.repeat(1_000)}b`);
  expect(short).toBe('c\n\nd');
});

test('CAP-2: white space between two words is cut to 100 characters, and code keeps its own', () => {
  const gap = '\u00a0'.repeat(200);
  expect(markdown(`<p>a<b>${gap}</b>${gap}b${gap.slice(0, 9)}c</p>`)).toMatch(/^a\s{100,110}b\u00a0{9}c$/);
  expect(markdown(`<pre>a${' '.repeat(200)}b</pre>`)).toContain(`a${' '.repeat(200)}b`);
});

test('CAP-2: items of an ordered list keep their numbers and stand close together', () => {
  const text = markdown('<ol start="7"><li><p>a</p><ol><li>b</li><li>c</li></ol></li><li>d</li></ol>');
  expect(text).toBe('7. a\n   1. b\n   2. c\n8. d');
});
