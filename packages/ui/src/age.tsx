import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { type AgeStyle, age, longDate, shortDay } from './dates.js';

/** How {@link Age} shows an instant: as its age, or as its date. */
export const DateStyle = createContext<'age' | 'date'>('age');

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

/** How long ago an instant was, with the exact time on hover; or its date, where {@link DateStyle} says so. */
export function Age({ instant, now, locale, style }: AgeProps) {
  const isDate = useContext(DateStyle) === 'date';
  const date = () => (style === 'long' ? longDate(instant, locale) : shortDay(instant, now, locale));
  return (
    <time datetime={instant} title={longDate(instant, locale)}>
      {isDate ? date() : age(instant, now, locale, style)}
    </time>
  );
}
