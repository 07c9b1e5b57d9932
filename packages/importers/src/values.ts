/** JSON of unknown shape. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The objects of a list; empty if it is not a list. */
export function fieldsIn(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : [];
}

/** The objects of a list that is read one element at a time. */
export function* fieldsOf(values: Iterable<unknown>): Generator<Fields> {
  for (const value of values) if (isFields(value)) yield value;
}

/** A text without white space around it; empty if it is none. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}

/** The texts of a list, or of a text with commas. */
export function textsOf(value: unknown): string[] {
  const list = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [];
  return list.map(textOf).filter((text) => text !== '');
}

/** The objects of a text with one in each line; other lines are ignored. */
export function linesOf(text: string, most = Number.POSITIVE_INFINITY): Fields[] {
  const lines = most === Number.POSITIVE_INFINITY ? text.split('\n') : text.trimStart().split('\n', most);
  return lines.flatMap((line) => {
    try {
      const value: unknown = /^\uFEFF?\{/.test(line) ? JSON.parse(line.replace(/^\uFEFF/, '')) : null;
      return isFields(value) ? [value] : [];
    } catch {
      return [];
    }
  });
}

/**
 * Numbers from which a time is in milliseconds or microseconds, and not in seconds: the year 5138 in seconds is 1973 in
 * milliseconds.
 */
const MILLISECONDS = 1e11;
const MICROSECONDS = 1e14;

/**
 * `20240301`, `20240301T1015`, `20240301101500`, with a zone or without. As seconds, the first would be a day of 1970.
 */
const COMPACT =
  /^((?:19|20)\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?:T?([01]\d|2[0-3])([0-5]\d)([0-5]\d)?(Z|[+-]\d\d:?\d\d)?)?$/;

/**
 * A time as ISO 8601 in UTC: of a date and time in ISO 8601, without a zone on the clock of this machine, or of
 * seconds, milliseconds or microseconds since 1970. A day without a time is its noon. Undefined if it is none.
 *
 * @example
 * instantOf('20240301T101500Z'); // '2024-03-01T10:15:00.000Z'
 * instantOf(1_700_000_000); // '2023-11-14T22:13:20.000Z'
 */
export function instantOf(value: unknown): string | undefined {
  const written = (typeof value === 'number' ? String(value) : textOf(value)).replace(
    COMPACT,
    (_, year, month, day, hour, minute, second = '00', zone = '') =>
      `${year}-${month}-${day}${hour === undefined ? '' : `T${hour}:${minute}:${second}${zone}`}`,
  );
  const number = /^\d+(?:\.\d+)?$/.test(written) ? Number(written) : Number.NaN;
  const text = written.replace(
    /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d(?:\.\d+)?)?))?$/,
    (_, day, at = '12:00') => `${day}T${at}`,
  );
  // Of a text without a year, Date makes one up.
  const parsed = /(?<!\d)\d{4}(?!\d)|\d{8}T/.test(text) ? Date.parse(text) : Number.NaN;
  const time = Number.isNaN(number) ? parsed : toMilliseconds(number);
  const isUsable = Number.isFinite(time) && time > 0 && time <= Date.now();
  return isUsable ? new Date(time).toISOString() : undefined;
}

function toMilliseconds(number: number): number {
  if (number > MICROSECONDS) return number / 1_000;
  return number > MILLISECONDS ? number : number * 1_000;
}

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
