import { limits } from './limits.js';

/**
 * The part of a JSON value that no store keeps, as the end of a sentence; null if there is none. The rules for the body
 * of a request hold (SEC-11), except that a large integer is accepted: a store that exported it had already rounded it.
 */
export function findUnstorable(value: unknown, depth = 0): string | null {
  if (typeof value === 'string') {
    if (!value.isWellFormed()) return 'contains half of a surrogate pair';
    return value.includes('\0') ? 'contains a NUL character' : null;
  }
  if (typeof value === 'number') {
    return Number.isFinite(value) ? null : 'contains a number that is too large';
  }
  if (typeof value !== 'object' || value === null) return null;
  if (depth === limits.body.depth) return `is nested deeper than ${limits.body.depth} levels`;
  for (const [key, item] of Object.entries(value)) {
    if (key === '__proto__') return 'contains the key __proto__';
    const problem = findUnstorable(key) ?? findUnstorable(item, depth + 1);
    if (problem !== null) return problem;
  }
  return null;
}
