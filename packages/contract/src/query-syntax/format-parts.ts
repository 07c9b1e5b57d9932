import type { Operator } from './operators.js';
import { PHRASE, type QueryPart } from './parse-parts.js';
import { quote } from './quotes.js';

/**
 * Formats an operator the way a user types it.
 *
 * @example
 * formatOperator({ name: 'tag', value: 'to read' }); // 'tag:"to read"'
 */
export function formatOperator(operator: Operator): string {
  return withValue(operator, /^[^\s"]\S*$/.test(operator.value) ? operator.value : quote(operator.value));
}

function withValue({ name, isExcluded }: Operator, value: string): string {
  return `${isExcluded ? '-' : ''}${name}:${value}`;
}

/**
 * The query that parses into these parts.
 *
 * @example
 * formatParts(parseParts('TAG:"tea"  leaves')); // 'tag:tea leaves'
 */
export function formatParts(parts: readonly QueryPart[]): string {
  // Behind a mark that is not closed, an operator without marks could come to stand in a phrase.
  const unclosed = parts.findIndex(({ kind, text }) => kind === 'word' && UNCLOSED.test(text));
  return parts
    .map((part, at) => {
      if (part.kind === 'word' || !part.isValid) return part.text;
      return unclosed >= 0 && at > unclosed ? withValue(part, quote(part.value)) : formatOperator(part);
    })
    .join(' ');
}

/** A word with the mark at which a phrase would begin. */
const UNCLOSED = new RegExp(`^(?!${PHRASE}$)-?"`);
