import { formatNumber } from '@recollect/ui/numbers';

/**
 * A time of reading in words.
 *
 * @example
 * readingTime(1318); // '22 h'
 */
export function readingTime(minutes: number): string {
  return minutes < 90 ? `${formatNumber(minutes)} min` : `${formatNumber(Math.round(minutes / 60))} h`;
}
