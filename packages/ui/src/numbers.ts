import { numberFormat } from './dates.js';

/** A number with the digits and separators of a locale, such as `1,234`. */
export function formatNumber(number: number, locale?: string): string {
  return numberFormat(locale).format(number);
}
