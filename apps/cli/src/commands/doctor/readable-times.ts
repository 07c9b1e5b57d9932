/** An instant as programs write it, and not as a part of a file's name. */
const INSTANT = /(?<![\w./-])\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)/g;

/**
 * Replaces instants in a message by times as people write them, in the time zone of this machine.
 *
 * @example
 * readableTimes('The newest backup is of 2026-08-20T14:03:00Z.'); // 'The newest backup is of 20 Aug 2026.'
 */
export function readableTimes(message: string, now = new Date()): string {
  return message.replace(INSTANT, (instant) => {
    const time = new Date(instant);
    return Number.isNaN(time.getTime()) ? instant : inWords(time, now);
  });
}

/** The time of today or yesterday, and the day of others. */
function inWords(time: Date, now: Date): string {
  const two = (number: number) => String(number).padStart(2, '0');
  const days = dayNumber(now) - dayNumber(time);
  if (days === 0 || days === 1)
    return `${days === 0 ? 'today' : 'yesterday'}, ${two(time.getHours())}:${two(time.getMinutes())}`;
  const month = new Intl.DateTimeFormat('en', { month: 'short' }).format(time);
  return `${time.getDate()} ${month} ${time.getFullYear()}`;
}

/** Counts days of the local calendar, which daylight saving time makes 23 or 25 hours long. */
function dayNumber(time: Date): number {
  return Date.UTC(time.getFullYear(), time.getMonth(), time.getDate()) / 86_400_000;
}
