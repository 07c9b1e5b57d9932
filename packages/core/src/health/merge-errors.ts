import type { LoggedError } from '../ports/index.js';

/** The key of equal errors. */
export function keyOf({ operation, code, cause }: Pick<LoggedError, 'operation' | 'code' | 'cause'>): string {
  return JSON.stringify([operation, code, cause]);
}

/** Joins equal errors of both lists, and returns the newest first. */
export function mergeErrors(earlier: readonly LoggedError[], later: readonly LoggedError[]): LoggedError[] {
  const merged = new Map(earlier.map((error) => [keyOf(error), error]));
  for (const error of later) {
    const known = merged.get(keyOf(error));
    merged.set(
      keyOf(error),
      known === undefined ? error : { ...error, count: known.count + error.count, firstAt: known.firstAt },
    );
  }
  return [...merged.values()].sort((a, b) => (a.lastAt < b.lastAt ? 1 : a.lastAt > b.lastAt ? -1 : 0));
}
