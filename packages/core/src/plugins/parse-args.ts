import { RecollectError } from '../error.js';

type Given = Readonly<Record<string, unknown>>;

function refuse(name: string, what: string): RecollectError {
  return new RecollectError('VALIDATION_FAILED', `${name} must be ${what}.`, {
    errors: [{ pointer: `/${name}`, message: `must be ${what}` }],
  });
}

/** Reads the arguments of a plugin's request by name. Each function throws VALIDATION_FAILED for an invalid value. */
export const parseArgs = {
  text(args: Given, name: string, most: number): string {
    const value = args[name];
    if (typeof value === 'string' && value.length <= most) return value;
    throw refuse(name, `a string of at most ${most} characters`);
  },

  optionalString(args: Given, name: string, most: number): string | null {
    return args[name] === undefined || args[name] === null ? null : parseArgs.text(args, name, most);
  },

  strings(args: Given, name: string, most: { items: number; length: number }): string[] {
    const value = args[name];
    const isList =
      Array.isArray(value) &&
      value.length <= most.items &&
      value.every((item) => typeof item === 'string' && item.length <= most.length);
    if (isList) return value;
    throw refuse(name, `an array of at most ${most.items} strings of at most ${most.length} characters`);
  },

  integer(args: Given, name: string, bounds: { default: number; minimum: number; maximum: number }): number {
    const value = args[name] ?? bounds.default;
    if (Number.isInteger(value) && Number(value) >= bounds.minimum && Number(value) <= bounds.maximum)
      return Number(value);
    throw refuse(name, `an integer from ${bounds.minimum} to ${bounds.maximum}`);
  },

  /** Any JSON value of at most `bytes` bytes. */
  json(args: Given, name: string, bytes: number): unknown {
    const value = args[name] ?? null;
    if (new TextEncoder().encode(JSON.stringify(value)).length <= bytes) return value;
    throw refuse(name, `at most ${bytes} bytes as JSON`);
  },

  record(args: Given, name: string): Record<string, unknown> {
    const value = args[name] ?? {};
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
    throw refuse(name, 'an object');
  },
};
