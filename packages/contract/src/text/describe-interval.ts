import { count } from './count.js';

const UNITS = [
  [10_080, 'week'],
  [1_440, 'day'],
  [60, 'hour'],
  [1, 'minute'],
] as const;

/**
 * An interval of whole minutes in words.
 *
 * @example
 * describeInterval(1_440); // 'once a day'
 * describeInterval(120); // 'every 2 hours'
 */
export function describeInterval(minutes: number): string {
  const [length, unit] = UNITS.find(([known]) => minutes % known === 0) ?? [1, 'minute'];
  const number = minutes / length;
  if (number > 1) return `every ${count(number, unit)}`;
  return unit === 'week' || unit === 'day' ? `once a ${unit}` : `every ${unit}`;
}
