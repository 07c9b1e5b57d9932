import { formatOperator, formatParts } from './format-parts.js';
import type { Operator } from './operators.js';
import { parseParts } from './parse-parts.js';

export interface SplitQuery {
  operators: Operator[];
  /** The words besides the operators, with single spaces between them. */
  words: string;
}

/**
 * Splits a query into operators and words. An operator with an invalid value is treated as words (QRY-6).
 *
 * @example
 * splitQuery('green tea tag:"to read"'); // { operators: [{ name: 'tag', value: 'to read' }], words: 'green tea' }
 */
export function splitQuery(query: string): SplitQuery {
  const operators: Operator[] = [];
  const words = parseParts(query).filter((part) => {
    if (part.kind === 'word' || !part.isValid) return true;
    const { name, value, isExcluded } = part;
    operators.push({ name, value, ...(isExcluded && { isExcluded }) });
    return false;
  });
  return { operators, words: formatParts(words) };
}

/**
 * Joins the parts of {@link splitQuery}.
 *
 * @example
 * joinQuery([{ name: 'tag', value: 'to read' }], 'green tea'); // 'tag:"to read" green tea'
 */
export function joinQuery(operators: readonly Operator[], words: string): string {
  return [...operators.map(formatOperator), words].filter((part) => part !== '').join(' ');
}
