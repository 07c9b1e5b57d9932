import { instantOf } from './values.js';

const DATE = /^((?:19|20)\d\d)([-_.]?)(0[1-9]|1[0-2])\2(0[1-9]|[12]\d|3[01])(?!\d)/;

/**
 * The day that the name of a note begins with, as ISO 8601 in UTC: `2023-11-05.md`, `2023_11_06 Monday.md` or
 * `20231108.md`. Undefined if it begins with none, and for a day to come.
 *
 * @example
 * dateOfName('Daily/2023-11-05.md')?.slice(0, 10); // '2023-11-05'
 */
export function dateOfName(name: string): string | undefined {
  const base = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
  const [, year, , month, day] = DATE.exec(base) ?? [];
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const at = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  // Date takes 31 February for a day of March.
  return at.getUTCDate() === Number(day) ? instantOf(`${year}-${month}-${day}`) : undefined;
}
