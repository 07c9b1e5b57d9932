import { halfDayAround, toHours } from './half-day.js';

/** Minutes that abbreviations of zones are ahead of UTC. */
const NAMED_OFFSETS = new Map(
  Object.entries({
    GMT: 0,
    UTC: 0,
    UT: 0,
    Z: 0,
    WET: 0,
    WEST: 60,
    BST: 60,
    CET: 60,
    MEZ: 60,
    CEST: 120,
    MESZ: 120,
    EET: 120,
    OEZ: 120,
    EEST: 180,
    OESZ: 180,
    MSK: 180,
    IST: 330,
    JST: 540,
    KST: 540,
    AWST: 480,
    AEST: 600,
    AEDT: 660,
    NZST: 720,
    NZDT: 780,
    NST: -210,
    NDT: -150,
    AST: -240,
    ADT: -180,
    EST: -300,
    EDT: -240,
    CST: -360,
    CDT: -300,
    MST: -420,
    MDT: -360,
    PST: -480,
    PDT: -420,
    AKST: -540,
    AKDT: -480,
    HST: -600,
    BRT: -180,
    BRST: -120,
    ART: -180,
  }),
);
const OFFSET = /(?<=^|[ (])(?:GMT|UTC|UT)? ?(?<sign>[+-])(?<hours>\d{1,2})(?::?(?<minutes>\d{2}))?(?!\d)/;
const NAME = /(?<=^|[ (\d])(?<name>[A-Z]{1,4})(?![\p{L}\d])/gu;

/**
 * The minutes that the zone named after a time is ahead of UTC; undefined if none is named.
 *
 * @example
 * offsetAfter(' GMT-03:00'); // -180
 */
export function offsetAfter(text: string): number | undefined {
  const { sign, hours, minutes = '0' } = OFFSET.exec(text)?.groups ?? {};
  if (hours !== undefined) return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  for (const { groups } of text.matchAll(NAME)) {
    const offset = NAMED_OFFSETS.get(groups?.name ?? '');
    if (offset !== undefined) return offset;
  }
  return undefined;
}

/** Languages whose names of months Kindle writes. */
const LANGUAGES =
  'en de es fr it pt nl sv da nb fi pl cs sk hu ro ca gl eu el tr ru uk bg hi bn ta te mr gu kn ml ar he id vi'.split(
    ' ',
  );
const DAY_FIRST =
  /(?<!\d)(?<day>\d{1,2})(?:\.|º|er)? ?,? (?:de |d['’])?(?<month>[\p{L}\p{M}]+)[.,]? (?:del? )?(?<year>\d{4})(?!\d)/u;
const MONTH_FIRST = /(?<![\p{L}\p{M}])(?<month>[\p{L}\p{M}]+)\.? (?<day>\d{1,2}),? (?<year>\d{4})(?!\d)/u;
/** Chinese, Japanese and Korean. */
const YEAR_FIRST = /(?<year>\d{4}) ?[年년] ?(?<month>\d{1,2}) ?[月월] ?(?<day>\d{1,2}) ?[日일]/u;
const ISO = /(?<!\d)(?<year>\d{4})[-/.](?<month>\d{1,2})[-/.](?<day>\d{1,2})(?!\d)/;
const DOTTED = /(?<!\d)(?<day>\d{1,2})\. ?(?<month>\d{1,2})\. ?(?<year>\d{4})(?!\d)/;
/** `10:15:00`, `10.15`, `23h32min06s`, `22시 14분 05초`. */
const TIME =
  /(?<!\d)(?<hour>\d{1,2}) ?(?:[:.時时點点시]|h) ?(?<minute>\d{2})(?!\d)(?: ?(?:[:.分분]|min|m) ?(?:(?<second>\d{2})(?!\d) ?(?:[秒초]|s(?!\p{L}))?)?)?/u;

interface Day {
  year: number;
  /** From 0, as in `Date`. */
  month: number;
  day: number;
}

/**
 * The date of a Kindle clipping, from the line with its place: ISO 8601 in UTC. Without a zone, uses this machine's
 * time zone; a date without a time becomes its noon. Undefined if it cannot be read.
 *
 * @example
 * clippingDate('Ihre Markierung auf Seite 5 | Hinzugefügt am Sonntag, 3. März 2024 10:15:00');
 * // '2024-03-03T10:15:00.000Z'
 */
export function clippingDate(place: string): string | undefined {
  const text = plainText(place.slice(place.lastIndexOf('|') + 1)).slice(0, MAX_LINE_CHARACTERS);
  const date = dayIn(text);
  if (date === null) return undefined;
  const { year, month, day } = date.day;
  // A date with dots looks like a time.
  const rest = `${' '.repeat(date.start)}${text.slice(date.start).replace(date.text, ' '.repeat(date.text.length))}`;
  const match = TIME.exec(text.slice(0, date.start)) ?? TIME.exec(rest);
  const { hour = '12', minute = '0', second = '0' } = match?.groups ?? {};
  const before = match === null ? '' : text.slice(0, match.index);
  const after = match === null ? '' : text.slice(match.index + match[0].length);
  const time = [toHours(Number(hour), halfDayAround(before, after)), Number(minute), Number(second)] as const;
  const offset = offsetAfter(after);
  const instant =
    offset === undefined
      ? new Date(year, month, day, ...time).getTime()
      : Date.UTC(year, month, day, ...time) - offset * 60_000;
  return instant > Date.now() ? undefined : new Date(instant).toISOString();
}

/** Characters of a line that are read. */
const MAX_LINE_CHARACTERS = 300;

/** The text with digits, spaces and signs as ASCII has them. */
function plainText(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\u200e\u200f\u061c]/g, '')
    .replace(/\p{Nd}/gu, (digit) => String(digitOf(digit)))
    .replace(/[−‒–]/g, '-')
    .replace(/\s+/g, ' ');
}

/**
 * The value of a decimal digit of any script. The ten digits of a script are consecutive, and 0 follows a non-digit.
 */
function digitOf(digit: string): number {
  const code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
  return value;
}

function dayIn(text: string): { day: Day; start: number; text: string } | null {
  for (const pattern of [YEAR_FIRST, ISO, DOTTED, DAY_FIRST, MONTH_FIRST]) {
    const match = pattern.exec(text);
    const { year, month = '', day } = match?.groups ?? {};
    const at = /^\d+$/.test(month) ? Number(month) - 1 : monthsByName().get(month.toLowerCase());
    if (match !== null && at !== undefined)
      return { day: { year: Number(year), month: at, day: Number(day) }, start: match.index, text: match[0] };
  }
  return null;
}

let months: Map<string, number> | null = null;

function monthsByName(): Map<string, number> {
  months ??= new Map(
    LANGUAGES.flatMap((language) =>
      // Behind a day, some languages write the name of a month in another case.
      [{ day: 'numeric', month: 'long' } as const, { month: 'long' } as const, { month: 'short' } as const].flatMap(
        (style) => {
          const format = new Intl.DateTimeFormat(`${language}-u-ca-gregory`, { ...style, timeZone: 'UTC' });
          return Array.from({ length: 12 }, (_, at): [string, number] => {
            const parts = format.formatToParts(Date.UTC(2024, at));
            const name = parts.find(({ type }) => type === 'month')?.value ?? '';
            return [name.normalize('NFKC').replace(/\.$/, '').toLowerCase(), at];
          });
        },
      ),
    ),
  );
  return months;
}
