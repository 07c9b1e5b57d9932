import { isInstant, onClock, readDate } from '@recollect/contract/instant';

const NUMERIC =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[ T]+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(?:\s*([ap]m))?(?:\s*(z|utc|gmt|[+-]\d{2}(?::?\d{2})?))?\s*)?$/i;
const COMPACT = /^(\d{4})(\d{2})(\d{2})$/;
/** Month names, with a day and a year on both sides of them, in either order. */
const IN_WORDS = /^(?:[a-z]+,? )?(?:\d{1,2}(?:st|nd|rd|th)? [a-z]+|[a-z]+ \d{1,2}(?:st|nd|rd|th)?),? \d{4}(?:,? .*)?$/i;

/**
 * A date as files state it: ISO 8601 and its relatives, a link to a daily note, and in English words. Without a zone, it is one on the
 * clock of this machine, and a day without a time is its noon. Returns ISO 8601 in UTC, null for anything else.
 *
 * @example
 * fileDate('2015-11-17 16:16:01 -0600') // '2015-11-17T22:16:01.000Z'
 * fileDate('Monday, April 22nd 2019, 6:51:17 pm') // '2019-04-22T18:51:17.000Z'
 */
export function fileDate(text: string): string | null {
  const date = text.replace(/^\[\[(.*)\]\]$/, '$1').trim();
  const numeric = numericDate(date.replace(COMPACT, '$1-$2-$3'));
  if (numeric !== null) return numeric;
  if (IN_WORDS.test(date)) return dateInWords(date);
  const day = readDate(date, { timeZone: 'UTC' });
  return day === null || /[a-z]/i.test(date) ? day : onClock(day.slice(0, 10));
}

function numericDate(date: string): string | null {
  const [whole, year, month = '', day = '', hour, minute = '00', second = '00', half, zone] = NUMERIC.exec(date) ?? [];
  if (whole === undefined) return null;
  const two = (number: string) => number.padStart(2, '0');
  const iso = `${year}-${two(month)}-${two(day)}`;
  if (hour === undefined) return isInstant(iso) ? onClock(iso) : null;
  const hours = half === undefined ? hour : `${(Number(hour) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0)}`;
  const time = `${iso}T${two(hours)}:${minute}:${second}`;
  const instant = time + offsetOf(zone ?? 'z');
  if (!isInstant(instant)) return null;
  return zone === undefined ? onClock(time) : new Date(instant).toISOString();
}

function offsetOf(zone: string): string {
  const [, sign, hours, minutes = '00'] = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone) ?? [];
  return sign === undefined ? 'Z' : `${sign}${hours}:${minutes}`;
}

/** As the engine reads English, which it does on the clock of this machine unless a zone is named. */
function dateInWords(date: string): string | null {
  const plain = date
    .replace(/(\d)(?:st|nd|rd|th)\b/gi, '$1')
    .replace(/ at /i, ' ')
    .replace(/^[a-z]+,? (?=[a-z]+ \d|\d+ [a-z])/i, '');
  const hasTime = /\d:\d/.test(plain);
  const time = Date.parse(hasTime ? plain : `${plain} 12:00`);
  return Number.isNaN(time) || !isInstant(new Date(time).toISOString()) ? null : new Date(time).toISOString();
}
