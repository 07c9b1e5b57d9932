import { unspacedLetter } from './letters.js';

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/**
 * A size in decimal units, with one decimal place at most.
 *
 * @example
 * formatBytes(1_536, 'en') // '1.5 kB'
 */
export function formatBytes(bytes: number, locale?: string): string {
  let size = bytes;
  let step = 0;
  // Rounds first: 999,960 bytes are 1 MB, not 1,000 kB.
  while (Math.round(size * 10) / 10 >= 1_000 && step < UNITS.length - 1) {
    size /= 1_000;
    step += 1;
  }
  const unit = UNITS[step] ?? 'byte';
  const unitDisplay = unit === 'byte' ? 'long' : 'short';
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay, maximumFractionDigits: 1 }).format(size);
}

/**
 * A number with its noun, such as `1 memory` or `1,234 memories`.
 *
 * @example
 * count(2, 'memory', 'memories'); // '2 memories'
 */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? noun : plural}`;
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/** Counts words as a reader would, including in scripts without spaces. */
export function countWords(text: string): number {
  let count = 0;
  for (const [run] of text.matchAll(/[\p{L}\p{M}\p{N}]+(?:['’.\-_][\p{L}\p{M}\p{N}]+)*/gu)) {
    count += unspacedLetter.test(run) ? [...segmenter.segment(run)].filter(({ isWordLike }) => isWordLike).length : 1;
  }
  return count;
}

const INTERVAL_UNITS = [
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
  const [length, unit] = INTERVAL_UNITS.find(([known]) => minutes % known === 0) ?? [1, 'minute'];
  const number = minutes / length;
  if (number > 1) return `every ${count(number, unit)}`;
  return unit === 'week' || unit === 'day' ? `once a ${unit}` : `every ${unit}`;
}

/** A time in words, for one that is an estimate. @example describeTime(190) // '3 minutes' */
export function describeTime(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
}

/**
 * The days of a range in the time zone of this machine, of which `before` is the first moment that is not in it.
 *
 * @example
 * describeRange({ after: '2026-03-01T00:00:00Z', before: '2026-04-01T00:00:00Z' }, 'en-GB');
 * // '1 – 31 March 2026', in UTC
 */
export function describeRange({ after, before }: { after: string; before: string }, locale?: string): string {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'long' });
  // Terminals have no thin spaces.
  return format.formatRange(new Date(after), new Date(Date.parse(before) - 1)).replace(/[\u2009\u202f]/g, ' ');
}
