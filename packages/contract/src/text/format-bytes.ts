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
