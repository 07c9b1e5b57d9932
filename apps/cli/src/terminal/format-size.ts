const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'];

/** A number of bytes with a unit, such as `4.2 MB`. */
export function formatSize(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= 999.5 && unit < UNITS.length - 1) {
    size /= 1_000;
    unit++;
  }
  return `${unit === 0 || size >= 9.95 ? Math.round(size) : size.toFixed(1)} ${UNITS[unit]}`;
}
