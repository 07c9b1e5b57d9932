import { isSentence } from './contents.js';
import { type Block, nameOf } from './find-blocks.js';

const PARTS = new Set(['DT', 'H1', 'H2', 'H3', 'H4', 'H5', 'H6', 'PRE', 'SUMMARY', 'TABLE', 'TH']);
/** The titles of boxes in manuals. */
const TITLES = '.admonition-title, .topic-title';
/** A text of at least this many words is a separate paragraph. */
const PARAGRAPH = 20;

/**
 * Whether the text around a block makes less sense without it: a paragraph, a heading, a term, code, a table or a
 * caption.
 */
export function isPart(block: Block): boolean {
  const { element, size } = block;
  if (PARTS.has(nameOf(element)) || element.matches(TITLES) || element.closest('figure') !== null) return true;
  return size >= PARAGRAPH && isSentence(block);
}
