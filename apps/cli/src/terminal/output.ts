import { styleText } from 'node:util';
import { count } from '@recollect/contract/text';

type Style = Parameters<typeof styleText>[0];

/** Styles text if standard output is a terminal with colours. */
export function style(format: Style, text: string): string {
  return styleText(format, text, { stream: process.stdout });
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches them on purpose.
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** Characters that a terminal may obey, besides those that JSON escapes. */
const OBEYED = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/**
 * Stored text that is safe to print: without the control characters by which a page could move the cursor, set the
 * title or change the direction of nearby text. `--json` escapes them.
 */
export function inert(text: string): string {
  return text.replace(CONTROLS, '');
}

/**
 * A line `name: value` of stored text. Further lines of the value are indented, so that none looks like another fact.
 */
export function factLine(name: string, value: string): string {
  const label = inert(name).replace(/\s+/g, ' ').trim();
  return `${label}: ${inert(value).replaceAll('\n', '\n  ')}`;
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Prints a value as JSON, with the control characters escaped that JSON allows and terminals obey. */
export function printJson(value: unknown): void {
  print(escapeControls(JSON.stringify(value, null, 2)));
}

/** A JSON text with such characters as escapes, which mean the same. */
export function escapeControls(json: string): string {
  return json.replace(OBEYED, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Prints one fact per line, without those that are empty. */
export function printFacts(facts: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(facts))
    if (value !== '') print(`${style('dim', `${name}:`.padEnd(12))}${inert(value)}`);
}

/** An instant in the time zone of this machine, to the minute, such as `2026-01-31 09:30`. */
export function localTime(instant: string): string {
  const time = new Date(instant);
  const two = (number: number) => String(number).padStart(2, '0');
  const day = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-');
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}`;
}

/** The time since an instant in words, such as `2 hours ago`. */
export function ago(instant: string, now = Date.now()): string {
  const seconds = Math.max(0, Math.round((now - Date.parse(instant)) / 1_000));
  const steps = [
    { unit: 'year', seconds: 31_557_600 },
    { unit: 'month', seconds: 2_629_800 },
    { unit: 'day', seconds: 86_400 },
    { unit: 'hour', seconds: 3_600 },
    { unit: 'minute', seconds: 60 },
  ];
  for (const step of steps) {
    const number = Math.floor(seconds / step.seconds);
    if (number > 0) return `${count(number, step.unit)} ago`;
  }
  return 'just now';
}
