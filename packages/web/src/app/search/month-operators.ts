import type { Operator } from '@recollect/contract/query-syntax';

/**
 * The operators that select a month: everything from its first day until the first day of the next one.
 *
 * @example
 * monthOperators('2026-12'); // after:2026-12 before:2027-01
 */
export function monthOperators(month: string): Operator[] {
  const [year = 0, number = 1] = month.split('-').map(Number);
  const next = new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 7);
  return [
    { name: 'after', value: month },
    { name: 'before', value: next },
  ];
}
