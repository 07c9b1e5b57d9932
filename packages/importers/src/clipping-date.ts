/** Languages whose names of months Kindle writes. */
const LANGUAGES = ['en', 'de', 'es', 'fr', 'it', 'pt', 'nl', 'sv', 'da', 'nb', 'pl', 'cs', 'tr', 'ru', 'uk'];
const DAY_FIRST = /(\d{1,2})\.? +(?:de )?(\p{L}+)\.? +(?:de )?(\d{4})/u;
const MONTH_FIRST = /(?<!\p{L})(\p{L}+) +(\d{1,2}), +(\d{4})/u;
/** Chinese, Japanese and Korean, whose half of the day is before the time. */
const YEAR_FIRST = /(\d{4}) *[年년] *(\d{1,2}) *[月월] *(\d{1,2}) *[日일]/u;
const TIME = /(?:(?:(上午|午前|오전)|(下午|午後|오후)) *)?(\d{1,2}):(\d{2})(?::(\d{2}))?(?: *(?:(AM)|(PM)))?/i;

/**
 * When a clipping of Kindle was made, of the line with its place: ISO 8601 in UTC, taking the clock of the device for that of this machine. Undefined if it
 * cannot be read.
 *
 * @example
 * clippingDate('Ihre Markierung auf Seite 5 | Hinzugefügt am Sonntag, 3. März 2024 10:15:00') // '2024-03-03T10:15:00.000Z'
 */
export function clippingDate(place: string): string | undefined {
  const text = place.slice(place.lastIndexOf('|') + 1);
  const date = dateIn(text);
  if (date === null) return undefined;
  const [, morningFirst, eveningFirst, hour = '0', minute = '0', second = '0', morning, evening] =
    TIME.exec(text) ?? [];
  const isEvening = (eveningFirst ?? evening) !== undefined;
  const isHalved = isEvening || (morningFirst ?? morning) !== undefined;
  const hours = isHalved ? (Number(hour) % 12) + (isEvening ? 12 : 0) : Number(hour);
  const time = new Date(date.year, date.month, date.day, hours, Number(minute), Number(second));
  return time.getTime() > Date.now() ? undefined : time.toISOString();
}

/** @returns the month from 0, as in `Date` */
function dateIn(text: string): { year: number; month: number; day: number } | null {
  const numbers = YEAR_FIRST.exec(text);
  if (numbers !== null) return { year: Number(numbers[1]), month: Number(numbers[2]) - 1, day: Number(numbers[3]) };
  const dayFirst = DAY_FIRST.exec(text);
  const monthFirst = dayFirst === null ? MONTH_FIRST.exec(text) : null;
  const [day, name = ''] = dayFirst === null ? [monthFirst?.[2], monthFirst?.[1]] : [dayFirst[1], dayFirst[2]];
  const month = monthsByName().get(name.toLowerCase());
  return month === undefined ? null : { year: Number((dayFirst ?? monthFirst)?.[3]), month, day: Number(day) };
}

let months: Map<string, number> | null = null;

function monthsByName(): Map<string, number> {
  months ??= new Map(
    LANGUAGES.flatMap((language) => {
      // Behind a day, some languages write the name of a month in another case.
      const format = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'long', timeZone: 'UTC' });
      return Array.from({ length: 12 }, (_, at): [string, number] => {
        const parts = format.formatToParts(Date.UTC(2024, at));
        return [(parts.find(({ type }) => type === 'month')?.value ?? '').toLowerCase(), at];
      });
    }),
  );
  return months;
}
