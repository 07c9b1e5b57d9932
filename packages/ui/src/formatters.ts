/**
 * Creating a formatter of Intl takes longer than a hundred calls of it, and lists format several values per row and
 * frame. So each is created once.
 */
const formatters = new Map<string, unknown>();

function once<T>(kind: string, locale: string | undefined, options: object, create: () => T): T {
  // The time zone of a laptop changes when it travels.
  const key = `${kind} ${locale ?? ''} ${new Date().getTimezoneOffset()} ${JSON.stringify(options)}`;
  const known = formatters.get(key) as T | undefined;
  if (known !== undefined) return known;
  const created = create();
  formatters.set(key, created);
  return created;
}

/** The date format of a locale, the browser's by default. */
export function dateFormat(locale: string | undefined, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return once('date', locale, options, () => new Intl.DateTimeFormat(locale, options));
}

/** The format of relative times of a locale, the browser's by default. */
export function relativeFormat(
  locale: string | undefined,
  options: Intl.RelativeTimeFormatOptions,
): Intl.RelativeTimeFormat {
  return once('relative', locale, options, () => new Intl.RelativeTimeFormat(locale, options));
}

/** The number format of a locale, the browser's by default. */
export function numberFormat(locale: string | undefined, options: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
  return once('number', locale, options, () => new Intl.NumberFormat(locale, options));
}
