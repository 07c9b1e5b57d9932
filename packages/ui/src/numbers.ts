import { numberFormat } from './formatters.js';

const SIZES = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** A number with the digits and separators of a locale, such as `1,234`. */
export function formatNumber(number: number, locale?: string): string {
  return numberFormat(locale).format(number);
}

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
  while (Math.round(size * 10) / 10 >= 1_000 && step < SIZES.length - 1) {
    size /= 1_000;
    step += 1;
  }
  const unit = SIZES[step] ?? 'byte';
  const unitDisplay = unit === 'byte' ? 'long' : 'short';
  return numberFormat(locale, { style: 'unit', unit, unitDisplay, maximumFractionDigits: 1 }).format(size);
}
