import type { Operator } from './operators.js';
import type { QueryPart } from './parse-parts.js';
import { quote } from './quotes.js';

/**
 * Formats an operator the way a user types it.
 *
 * @example
 * formatOperator({ name: 'tag', value: 'to read' }); // 'tag:"to read"'
 */
export function formatOperator({ name, value, isExcluded }: Operator): string {
  return `${isExcluded ? '-' : ''}${name}:${/^[^\s"]\S*$/.test(value) ? value : quote(value)}`;
}

/**
 * The query that parses into these parts.
 *
 * @example
 * formatParts(parseParts('TAG:"tea"  leaves')); // 'tag:tea leaves'
 */
export function formatParts(parts: readonly QueryPart[]): string {
  return parts.map((part) => (part.kind === 'operator' && part.isValid ? formatOperator(part) : part.text)).join(' ');
}
