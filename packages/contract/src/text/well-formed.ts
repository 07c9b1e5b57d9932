/**
 * A value of JSON without half characters: a page's scripts can make a text with one half of a surrogate pair, which
 * UTF-8 cannot represent and no store keeps. U+FFFD takes its place, as in a text that is converted to UTF-8.
 */
export function wellFormed<Value>(value: Value): Value {
  if (typeof value === 'string') return value.toWellFormed() as Value;
  if (Array.isArray(value)) return value.map(wellFormed) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key.toWellFormed(), wellFormed(part)]),
  ) as Value;
}
