import { type AgeStyle, age, longDate } from './dates.js';

interface AgeProps {
  /** An ISO 8601 date and time. */
  instant: string;
  /** Milliseconds since 1970. The current time by default. */
  now?: number;
  /** The language. The browser's by default. */
  locale?: string;
  /** `narrow` by default. */
  style?: AgeStyle;
}

/** How long ago an instant was, with the exact time on hover. */
export function Age({ instant, now, locale, style }: AgeProps) {
  return (
    <time datetime={instant} title={longDate(instant, locale)}>
      {age(instant, now, locale, style)}
    </time>
  );
}
