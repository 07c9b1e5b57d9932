const UNITS = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

const format = new Intl.RelativeTimeFormat('en', { style: 'narrow' });

/** How long ago an instant was, such as `3d ago`. */
export function age(instant: string, now = Date.now()): string {
  const seconds = Math.max(0, (now - Date.parse(instant)) / 1000);
  const [unit, length] = UNITS.find(([, size]) => seconds >= size) ?? ['minute', Number.POSITIVE_INFINITY];
  return length === Number.POSITIVE_INFINITY ? 'now' : format.format(-Math.floor(seconds / length), unit);
}

/** Formats an instant in local time, such as `3 May 2026, 14:02`. */
export function longDate(instant: string): string {
  return new Date(instant).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
}
