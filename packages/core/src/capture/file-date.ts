import { isInstant, readDate } from '@recollect/contract/instant';

const NUMERIC =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[ T]+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*([ap]m)?\s*(z|utc|gmt|[+-]\d{2}(?::?\d{2})?)?)?$/i;
const COMPACT = /^(\d{4})(\d{2})(\d{2})$/;
/** Month names, with a day and a year on both sides of them, in either order. */
const IN_WORDS = /^(?:[a-z]+,? )?(?:\d{1,2}(?:st|nd|rd|th)? [a-z]+|[a-z]+ \d{1,2}(?:st|nd|rd|th)?),? \d{4}(?:,? .*)?$/i;

/**
 * A date as files state it: ISO 8601 and its relatives, also with a time but without a zone, which then counts as UTC; a link to a
 * daily note; and in English words. Returns ISO 8601 in UTC, null for anything else.
 *
 * @example
 * fileDate('2015-11-17 16:16:01 -0600') // '2015-11-17T22:16:01.000Z'
 * fileDate('Monday, April 22nd 2019, 6:51:17 pm') // '2019-04-22T18:51:17.000Z'
 */
export function fileDate(text: string): string | null {
  const date = text.replace(/^\[\[(.*)\]\]$/, '$1').trim();
  return numericDate(date.replace(COMPACT, '$1-$2-$3')) ?? (IN_WORDS.test(date) ? dateInWords(date) : readDate(date));
}

function numericDate(date: string): string | null {
  const [whole, year, month = '', day = '', hour, minute = '00', second = '00', half, zone] = NUMERIC.exec(date) ?? [];
  if (whole === undefined) return null;
  const two = (number: string) => number.padStart(2, '0');
  const iso = `${year}-${two(month)}-${two(day)}`;
  if (hour === undefined) return isInstant(iso) ? new Date(iso).toISOString() : null;
  const hours = half === undefined ? hour : `${(Number(hour) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0)}`;
  const instant = `${iso}T${two(hours)}:${minute}:${second}${offsetOf(zone)}`;
  return isInstant(instant) ? new Date(instant).toISOString() : null;
}

function offsetOf(zone = 'z'): string {
  const [, sign, hours, minutes = '00'] = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone) ?? [];
  return sign === undefined ? 'Z' : `${sign}${hours}:${minutes}`;
}

/** As the engine reads English, which it does in the time zone of this machine unless a zone is named. */
function dateInWords(date: string): string | null {
  const plain = date
    .replace(/(\d)(?:st|nd|rd|th)\b/gi, '$1')
    .replace(/ at /i, ' ')
    .replace(/^[a-z]+,? (?=[a-z]+ \d|\d+ [a-z])/i, '');
  const hasZone = /(?:\b(?:utc|gmt|z|[ecmp][sd]t)|[+-]\d{2}:?\d{2})(?: \(.*\))?$/i.test(plain);
  const time = Date.parse(hasZone ? plain : `${plain} UTC`);
  return Number.isNaN(time) || !isInstant(new Date(time).toISOString()) ? null : new Date(time).toISOString();
}
