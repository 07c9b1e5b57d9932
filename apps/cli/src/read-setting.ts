import { isHost } from '@recollect/server/access-policy';

/** A rejected configuration. The message says what to set; the process exits with 78 (EX_CONFIG). */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

/** Reads a setting by its name without `RECOLLECT_`; undefined if it is not set. */
export type Read = (name: string) => string | undefined;

/** Throws {@link ConfigurationError} unless the value is a whole number within the bounds. */
export function readInteger(
  name: string,
  read: Read,
  bounds: { default: number; minimum: number; maximum: number },
): number {
  const value = read(name);
  const number = Number(value ?? bounds.default);
  if (Number.isInteger(number) && number >= bounds.minimum && number <= bounds.maximum) return number;
  throw new ConfigurationError(`RECOLLECT_${name} must be a whole number from ${bounds.minimum} to ${bounds.maximum}.`);
}

/** Throws {@link ConfigurationError} unless the value is one of the choices. */
export function readChoice<T extends string>(
  name: string,
  value: string | undefined,
  choices: readonly T[],
): T | undefined {
  const choice = choices.find((candidate) => candidate === value);
  if (value === undefined || choice !== undefined) return choice;
  throw new ConfigurationError(`RECOLLECT_${name} must be ${choices.join(' or ')}.`);
}

/** Throws {@link ConfigurationError} unless the value is an address of the web. */
export function readUrl(name: string, value: string | undefined): URL | null {
  if (value === undefined) return null;
  const url = URL.parse(value);
  if (url !== null && (url.protocol === 'http:' || url.protocol === 'https:')) return url;
  throw new ConfigurationError(`RECOLLECT_${name} must be an http or https URL, such as http://127.0.0.1:8080.`);
}

/** The items between the commas of a value. */
export function readList(value: string | undefined): string[] {
  return (value ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** Throws {@link ConfigurationError} unless a name is a host, with or without a port. */
export function checkHostName(setting: string, name: string): string {
  if (isHost(name) && Number(/:(\d+)$/.exec(name)?.[1] ?? 0) <= 65_535) return name;
  throw new ConfigurationError(
    `RECOLLECT_${setting} must be host names separated by commas, with or without a port and with no wildcard.`,
  );
}
