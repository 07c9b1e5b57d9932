import { limits } from '@recollect/contract/limits';

/**
 * A value of JSON without characters that no store keeps, such as the NUL characters that a zeroed block of a disk
 * leaves in a text. What `findUnstorable` of the contract finds is left out, and the rest stays.
 */
export function toStorable<Value>(value: Value, depth = 0): Value {
  if (typeof value === 'string') return value.replaceAll('\0', '').toWellFormed() as Value;
  if (typeof value !== 'object' || value === null) return value;
  if (depth === limits.body.depth) return null as Value;
  if (Array.isArray(value)) return value.map((item) => toStorable(item, depth + 1)) as Value;
  const entries = Object.entries(value).map(([key, item]) => [toStorable(key), toStorable(item, depth + 1)] as const);
  return Object.fromEntries(entries.filter(([key]) => key !== '__proto__')) as Value;
}
