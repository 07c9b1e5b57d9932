import { nameOf } from './find-blocks.js';

const PARTS = new Set(['DT', 'H1', 'H2', 'H3', 'H4', 'H5', 'H6', 'PRE', 'SUMMARY', 'TABLE', 'TH']);

/** Whether the text around an element makes less sense without it: a heading, a term, code, a table or a caption. */
export function isPart(element: Element): boolean {
  return PARTS.has(nameOf(element)) || element.closest('figure') !== null;
}
