import { parseUrl } from '@recollect/contract/text';
import Turndown from 'turndown';
import { type CodeBlocks, createCodeBlocks } from './code-blocks.js';
import { removeLineNumbers } from './line-numbers.js';
import { readFormulas, writeFormula } from './read-formulas.js';
import { readRuby } from './read-ruby.js';
import { shortenGaps } from './shorten-gaps.js';
import { tableToMarkdown, unwrapLayoutTables } from './table-to-markdown.js';

/** Elements for screen readers, the mouse or the style sheet, which are not part of the text. */
const CLUTTER =
  'script, style, noscript, template, button, select, input:not([type="checkbox"]), textarea, dialog, ' +
  'svg, canvas, .sr-only, .visually-hidden, .katex-html, [style="display:none"]';

/**
 * Converts HTML to Markdown: headings, lists, code, tables, formulas, links with absolute addresses, and the alt texts
 * of images. Modifies `root`.
 */
export function toMarkdown(root: HTMLElement, baseUrl: string): string {
  readFormulas(root);
  removeClutter(root);
  removeLineNumbers(root);
  readRuby(root);
  unwrapLayoutTables(root);
  shortenGaps(root);
  const code = createCodeBlocks();
  const text = createConverter(baseUrl, code)
    .turndown(root)
    .split('\n')
    .map(withoutSpacesAtEnd)
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/[\u200b\ufeff]/g, '')
    .trim();
  return code.restore(text);
}

/** Two spaces at the end of a line are a line break. */
function withoutSpacesAtEnd(line: string): string {
  const text = line.trimEnd();
  return line.length - text.length === 2 && line.endsWith('  ') ? line : text;
}

/** Removes elements that are not part of the text of a page, or of a part of a page. */
export function removeClutter(root: HTMLElement): void {
  for (const element of root.querySelectorAll(CLUTTER)) element.remove();
}

function createConverter(baseUrl: string, code: CodeBlocks): Turndown {
  const converter = new Turndown({
    headingStyle: 'atx',
    hr: '---',
    bulletListMarker: '-',
    codeBlockStyle: 'fenced',
    emDelimiter: '*',
  });
  const escapeAll = converter.escape.bind(converter);
  // An underscore within a word is not emphasis, and users search for names without a backslash.
  converter.escape = (text) => escapeAll(text).replace(/(?<=\w)\\_(?=\w)/g, '_');
  converter.addRule('code block', { filter: 'pre', replacement: (_, node) => code.hold(node as HTMLElement) });
  converter.addRule('table', {
    filter: 'table',
    replacement: (_, node) => tableToMarkdown(node as Element, convertCell),
  });
  converter.addRule('link', {
    filter: 'a',
    replacement: (content, node) => link(content, (node as HTMLElement).getAttribute('href'), baseUrl),
  });
  converter.addRule('image', { filter: 'img', replacement: (_, node) => image(node as HTMLElement, baseUrl) });
  converter.addRule('formula', {
    filter: (node) => node.nodeName.toUpperCase() === 'MATH',
    replacement: (_, node) => writeFormula(node as Element),
  });
  const numberOf = createNumbering();
  converter.addRule('item', {
    filter: 'li',
    replacement: (content, node) => item(content, node as HTMLElement, numberOf),
  });
  converter.addRule('struck', { filter: ['del', 's'], replacement: (content) => `~~${content}~~` });
  converter.addRule('exponent', { filter: isExponent, replacement: exponent });
  converter.addRule('footnote', {
    filter: (node) => node.nodeName === 'SUP' && node.id.startsWith('fnref:'),
    replacement: (_, node) => `[^${(node as Element).id.slice('fnref:'.length).split('-')[0]}]`,
  });
  converter.addRule('footnotes', {
    filter: (node) => node.nodeName === 'LI' && node.id.startsWith('fn:'),
    replacement: (content, node) =>
      `[^${(node as Element).id.slice('fn:'.length)}]: ${content.replace(/\[↩\]\([^()]*\)|↩\ufe0e?/g, '').trim()}\n\n`,
  });

  function convertCell(cell: HTMLElement): string {
    return code.restoreInline(converter.turndown(cell));
  }
  return converter;
}

function absolute(address: string | null, baseUrl: string): string | null {
  const url = address === null || address.trim() === '' ? null : parseUrl(address, baseUrl);
  if (url === null) return null;
  const { href, protocol } = url;
  return /^(https?|mailto|tel):$/.test(protocol) ? href.replaceAll('(', '%28').replaceAll(')', '%29') : null;
}

/** Links within the page and invalid addresses become plain text. */
function link(content: string, address: string | null, baseUrl: string): string {
  const href = address?.startsWith('#') ? null : absolute(address, baseUrl);
  const text = content.trim();
  if (href === null || text === '') return content;
  if (!text.includes('\n')) return content.replace(text, () => `[${text}](${href})`);
  // If a link surrounds blocks, as on cards, only the first line becomes the link.
  const [first = '', ...rest] = text.split('\n');
  const [, marks = '', words = ''] = /^(#{1,6} |[-*>] )?(.*)$/.exec(first) ?? [];
  return `\n\n${marks}[${words}](${href})\n${rest.join('\n')}\n\n`;
}

/** Images are not saved, but their alternative texts and captions are. */
function image(element: HTMLElement, baseUrl: string): string {
  const read = (name: string) => (element.getAttribute(name) ?? '').replace(/\s+/g, ' ').trim();
  const text = read('alt');
  // The titles of other pictures are tooltips, which mostly repeat the alternative text.
  const caption = element.closest('figure') === null ? '' : read('title').replaceAll('"', '”');
  if (text === '' && caption === '') return '';
  const source = absolute(element.getAttribute('src'), baseUrl);
  if (source === null) return text;
  const title = caption === '' ? '' : ` "${caption}"`;
  return `![${text.replace(/[[\]]/g, '\\$&')}](${source}${title})`;
}

/** Letters that make a number an ordinal or an hour, or that are a mark. */
const NO_EXPONENT =
  /^(?:st|nd|rd|th|er|ère|ers|ères|re|res|e|es|eme|ème|ième|de|nde|ste|do|da|ra|ro|to|ta|o|os|a|as|h|min|s|tm|sm|r)$/i;
const PRICE = /[$€£¥]\s?[\d.,]+$/;

/**
 * Superscript that is not a footnote, link, ordinal or mark. Without a caret, 10 to the power of 24 would read 1024.
 */
function isExponent(node: HTMLElement): boolean {
  if (node.nodeName !== 'SUP' || node.id.startsWith('fnref:') || node.querySelector('a, img, sup') !== null)
    return false;
  const text = (node.textContent ?? '').trim();
  const before = node.previousSibling;
  const base = before?.textContent ?? '';
  if (!/[\p{L}\p{N})\]]$/u.test(base) || PRICE.test(base)) return false;
  if (!/^[-+−–\p{L}\p{N}(][-+−–\p{L}\p{N}.,/*()= ]{0,19}$/u.test(text) || NO_EXPONENT.test(text)) return false;
  if (/\p{N}/u.test(text)) return true;
  return /^(?:I|EM|VAR)$/.test(before?.nodeName ?? '') || /[\p{N})]$/u.test(base);
}

function exponent(content: string): string {
  const text = content.trim();
  return /^[-+−–]?[\p{L}\p{N}]+$/u.test(text) ? `^${text}` : `^(${text})`;
}

/** Returns a function that says which number an item of an ordered list has. Each list is counted once. */
function createNumbering(): (item: Element, list: Element) => number {
  const lists = new Map<Element, Map<Element, number>>();
  return (item, list) => {
    let numbers = lists.get(list);
    if (numbers === undefined) {
      const start = Number(list.getAttribute('start') ?? 1);
      const items = [...list.children].filter(({ nodeName }) => nodeName === 'LI');
      numbers = new Map(items.map((one, place) => [one, start + place]));
      lists.set(list, numbers);
    }
    return numbers.get(item) ?? 1;
  };
}

/** White space with a line break in it, before the mark of a list item. */
const GAP = /\n\s+/g;
const ITEM = /(?:-|\d+\.) /y;

/** Items stand close together. */
function closeItems(text: string): string {
  return text.replace(GAP, (gap, at: number) => {
    ITEM.lastIndex = at + gap.length;
    return ITEM.test(text) ? gap.replace(/\n{2,}/g, '\n') : gap;
  });
}

function item(content: string, element: HTMLElement, numberOf: (item: Element, list: Element) => number): string {
  const list = element.parentElement;
  const box = element.querySelector(
    ':scope > input[type="checkbox"], :scope > p > input[type="checkbox"], :scope > label > input[type="checkbox"]',
  );
  const task = box === null ? '' : box.hasAttribute('checked') ? '[x] ' : '[ ] ';
  let mark = '- ';
  if (list?.nodeName === 'OL') mark = `${numberOf(element, list)}. `;
  const text = closeItems(content.trim());
  const indented = text.replace(/\n(?=[^\n])/g, `\n${' '.repeat(mark.length)}`);
  return `${mark}${task}${indented}${element.nextSibling === null ? '' : '\n'}`;
}
