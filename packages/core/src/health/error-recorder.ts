import { limits } from '@recollect/contract/limits';
import type { CorePorts } from '../ports/core-ports.js';
import type { LoggedError } from '../ports/index.js';

/** An error that occurred now. It must hold nothing that a user wrote (SEC-15). */
export type Failure = Pick<LoggedError, 'operation' | 'code' | 'cause' | 'requestId' | 'frames'>;

/** Remembers the last errors of the server, for its owner. */
export interface ErrorRecorder {
  /** Remembers an error until it is written. Never throws and never waits. */
  record(failure: Failure): void;
  /** The errors that occurred last, the newest first. */
  latest(limit: number): Promise<LoggedError[]>;
  /** Writes the pending errors, if the store accepts changes. Returns whether all are written. Never throws. */
  flush(): Promise<boolean>;
}

/**
 * Makes the recorder of errors. Errors that cannot be written stay in memory. An error of the log itself is ignored,
 * since recording it would also fail.
 *
 * @example
 * const errors = createErrorRecorder({ ...storage, clock: systemClock });
 * errors.record({ operation: 'query', code: 'INTERNAL', cause: 'TypeError', requestId: null, frames: [] });
 */
export function createErrorRecorder({
  errorLog,
  inspector,
  clock,
}: Pick<CorePorts, 'errorLog' | 'inspector' | 'clock'>): ErrorRecorder {
  let unwritten = new Map<string, LoggedError>();

  const keep = (errors: readonly LoggedError[]) => {
    unwritten = new Map(errors.slice(0, limits.errors.kept).map((error) => [keyOf(error), error]));
  };
  return {
    record(failure) {
      const at = clock.now().toISOString();
      const error = { ...failure, count: 1, firstAt: at, lastAt: at };
      const previous = unwritten.get(keyOf(error));
      // Known errors change in place, so that a storm of them costs nothing.
      if (previous === undefined) keep(mergeErrors([...unwritten.values()], [error]));
      else unwritten.set(keyOf(error), { ...error, count: previous.count + 1, firstAt: previous.firstAt });
    },

    async latest(limit) {
      const written = await errorLog.latest(limits.errors.kept).catch(() => []);
      return mergeErrors(written, [...unwritten.values()]).slice(0, limit);
    },

    async flush() {
      const errors = [...unwritten.values()];
      if (errors.length === 0) return true;
      if (inspector.problem() !== null) return false;
      unwritten = new Map();
      try {
        await errorLog.add(errors, limits.errors.kept);
        return true;
      } catch {
        keep(mergeErrors(errors, [...unwritten.values()]));
        return false;
      }
    },
  };
}

/** The key of equal errors. */
function keyOf({ operation, code, cause }: Pick<LoggedError, 'operation' | 'code' | 'cause'>): string {
  return JSON.stringify([operation, code, cause]);
}

/** Joins equal errors of both lists, and returns the newest first. */
function mergeErrors(earlier: readonly LoggedError[], later: readonly LoggedError[]): LoggedError[] {
  const merged = new Map(earlier.map((error) => [keyOf(error), error]));
  for (const error of later) {
    const previous = merged.get(keyOf(error));
    merged.set(
      keyOf(error),
      previous === undefined ? error : { ...error, count: previous.count + error.count, firstAt: previous.firstAt },
    );
  }
  return [...merged.values()].sort((a, b) => (a.lastAt < b.lastAt ? 1 : a.lastAt > b.lastAt ? -1 : 0));
}
