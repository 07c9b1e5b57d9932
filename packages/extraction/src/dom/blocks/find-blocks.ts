import { cellsOf, rowsOf } from '../table-parts.js';
import { sizeOf, wordsOf } from './words.js';

/** Types of nodes. A parser of the server has no global `Node`. */
const ELEMENT = 1;
const TEXT = 3;
/** Block-level elements. All others are inline, custom elements included, unless they contain a block. */
const BLOCK = new Set(
  (
    'ADDRESS ARTICLE ASIDE BLOCKQUOTE BODY CAPTION CENTER COL COLGROUP DD DETAILS DIR DIV DL DT FIELDSET FIGCAPTION FIGURE FOOTER ' +
    'FORM H1 H2 H3 H4 H5 H6 HEADER HGROUP HR LEGEND LI MAIN MENU NAV NOSCRIPT OL P PRE SEARCH SECTION SUMMARY TABLE TBODY TD ' +
    'TFOOT TH THEAD TR UL'
  ).split(' '),
);
/** A table with more words per cell lays out a page. One with fewer is read as a whole. */
const WORDS_PER_CELL = 12;

/** A piece of a page's text that is kept or left out as a whole: a paragraph, a heading, an item, a line of links. */
export interface Block {
  /** The element in which its nodes stand beside each other. */
  readonly element: Element;
  readonly nodes: readonly ChildNode[];
  /** Without repeated white space. */
  readonly text: string;
  /** In lower case. */
  readonly words: readonly string[];
  /** In words. */
  readonly size: number;
  /** The size of the text in links. */
  readonly linkSize: number;
  readonly links: number;
}

/** Divides a page, without clutter, into the blocks that have words, in order. */
export function findBlocks(body: Element): Block[] {
  const blocks: Block[] = [];
  const surroundsBlocks = new Map<Element, boolean>();
  divide(body, false);
  return blocks;

  function isInline(node: ChildNode): boolean {
    if (node.nodeType !== ELEMENT) return true;
    const element = node as Element;
    if (BLOCK.has(nameOf(element))) return false;
    let known = surroundsBlocks.get(element);
    if (known === undefined) {
      known = [...element.childNodes].some((child) => !isInline(child));
      surroundsBlocks.set(element, known);
    }
    return !known;
  }

  function divide(element: Element, isInLink: boolean): void {
    const inLink = isInLink || nameOf(element) === 'A';
    if (nameOf(element) === 'PRE' || isTableOfFigures(element)) {
      add(element, [...element.childNodes], inLink);
      return;
    }
    let line: ChildNode[] = [];
    for (const child of element.childNodes) {
      if (isInline(child)) {
        line.push(child);
        continue;
      }
      add(element, line, inLink);
      line = [];
      divide(child as Element, inLink);
    }
    add(element, line, inLink);
  }

  function add(element: Element, nodes: readonly ChildNode[], isInLink: boolean): void {
    if (nodes.length === 0) return;
    const reading = { parts: [] as string[], linked: [] as string[], links: 0 };
    // Some pages write each line of code as an element.
    for (const node of nodes) read(node, isInLink, nameOf(element) === 'PRE', reading);
    const text = join(reading.parts);
    const words = wordsOf(text);
    if (words.length === 0) return;
    const size = sizeOf(words);
    const linkSize = isInLink ? size : sizeOf(wordsOf(join(reading.linked)));
    blocks.push({ element, nodes, text, words, size, linkSize, links: reading.links });
  }
}

interface Reading {
  parts: string[];
  linked: string[];
  links: number;
}

function read(node: ChildNode, isInLink: boolean, isCode: boolean, reading: Reading): void {
  if (node.nodeType === TEXT) {
    const text = node.nodeValue ?? '';
    reading.parts.push(text);
    if (isInLink) reading.linked.push(text);
    return;
  }
  if (node.nodeType !== ELEMENT) return;
  const element = node as Element;
  const name = nameOf(element);
  if (name === 'MATH') return;
  const isLink = name === 'A' && element.hasAttribute('href');
  if (isLink) reading.links++;
  const separates = isCode || name === 'BR' || BLOCK.has(name) || isLink;
  if (separates) separate(reading);
  for (const child of element.childNodes) read(child, isInLink || isLink, isCode, reading);
  if (separates) separate(reading);
}

function separate({ parts, linked }: Reading): void {
  for (const list of [parts, linked]) if (list.length > 0) list.push(' ');
}

function join(parts: readonly string[]): string {
  return parts.join('').replace(/\s+/g, ' ').trim();
}

/** The name of an element in capitals: parsers differ in how they write it. */
export function nameOf(element: Element): string {
  return element.nodeName.toUpperCase();
}

function isTableOfFigures(element: Element): boolean {
  if (nameOf(element) !== 'TABLE' || element.querySelector('table') !== null) return false;
  const rows = rowsOf(element).map((row) => cellsOf(row));
  const cells = rows.reduce((sum, row) => sum + row.length, 0);
  if (rows.length < 2 || cells < 2 * rows.length) return false;
  return wordsOf(element.textContent ?? '').length <= WORDS_PER_CELL * cells;
}
