/** Languages whose names of months Kindle writes. */
const LANGUAGES = ['en', 'de', 'es', 'fr', 'it', 'pt', 'nl'];
const DAY_FIRST = /(\d{1,2})\.? +(?:de )?(\p{L}+)\.? +(?:de )?(\d{4})/u;
const MONTH_FIRST = /(\p{L}+) +(\d{1,2}), +(\d{4})/u;
const TIME = /(\d{1,2}):(\d{2})(?::(\d{2}))?(?: *([AP])M)?/i;

/**
 * When a clipping of Kindle was made, of the line with its place: ISO 8601 in UTC, taking the clock of the device for UTC. Undefined if it
 * cannot be read.
 *
 * @example
 * clippingDate('Ihre Markierung auf Seite 5 | Hinzugefügt am Sonntag, 3. März 2024 10:15:00') // '2024-03-03T10:15:00.000Z'
 */
export function clippingDate(place: string): string | undefined {
  const text = place.slice(place.lastIndexOf('|') + 1);
  const [, day, month = '', year] = DAY_FIRST.exec(text) ?? reordered(MONTH_FIRST.exec(text)) ?? [];
  const number = monthsByName().get(month.toLowerCase());
  if (day === undefined || number === undefined) return undefined;
  const [, hour = '0', minute = '0', second = '0', half] = TIME.exec(text) ?? [];
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  const time = Date.UTC(Number(year), number, Number(day), hours, Number(minute), Number(second));
  return time > Date.now() ? undefined : new Date(time).toISOString();
}

function reordered(found: RegExpExecArray | null): readonly (string | undefined)[] | null {
  return found === null ? null : [found[0], found[2], found[1], found[3]];
}

let months: Map<string, number> | null = null;

function monthsByName(): Map<string, number> {
  months ??= new Map(
    LANGUAGES.flatMap((language) => {
      const format = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' });
      return Array.from({ length: 12 }, (_, at): [string, number] => [
        format.format(Date.UTC(2024, at)).toLowerCase(),
        at,
      ]);
    }),
  );
  return months;
}
