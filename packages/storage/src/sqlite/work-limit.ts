/** How long a call may take, and for whom it works. */
export interface CallLimit {
  /** Ends the call, also while it runs. */
  signal?: AbortSignal | undefined;
  /** Milliseconds of processor time; no limit if missing. */
  budget?: number | undefined;
}

/** The code of an error of work whose caller went away, as SQLite has it for its own. */
export const INTERRUPTED = 'SQLITE_INTERRUPT';
/** The code of an error of work that has used up its budget. Procedures catch it. */
const OUT_OF_TIME = 'OUT_OF_TIME';

/** Where a thread looks for the number of the request that was given up. */
export type Interruption = Int32Array<SharedArrayBuffer>;

export function createInterruption(): Interruption {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)).fill(-1);
}

/** The limit of the work that a thread does at present. */
export interface WorkLimit {
  /** Does the work of a request, within a budget of processor time in milliseconds. */
  within<Result>(request: { id: number; budget: number | undefined }, work: () => Result): Result;
  /** Throws if the work should end. Takes well under a microsecond. */
  check(): void;
}

/**
 * Limits work by looking at the clock from within: the driver cannot interrupt SQLite, whose progress handler it is
 * built without. So work has to check its limit between statements, and statements for each of many rows.
 */
export function createWorkLimit(interruption: Interruption | null): WorkLimit {
  let current = -1;
  /** When the budget may be used up, by `performance.now()`. */
  let due = Number.POSITIVE_INFINITY;
  let isOver = () => false;

  return {
    within({ id, budget = Number.POSITIVE_INFINITY }, work) {
      const startedAt = spent();
      current = id;
      due = performance.now() + budget;
      isOver = () => {
        const left = budget - (spent() - startedAt);
        due = performance.now() + left;
        return left <= 0;
      };
      try {
        return work();
      } finally {
        current = -1;
        due = Number.POSITIVE_INFINITY;
      }
    },
    check() {
      if (interruption !== null && current >= 0 && Atomics.load(interruption, 0) === current)
        throw Object.assign(new Error('The caller went away.'), { code: INTERRUPTED });
      if (performance.now() >= due && isOver())
        throw Object.assign(new Error('The work took too long.'), { code: OUT_OF_TIME });
    },
  };
}

/** Whether an error says that a budget is used up. */
export function isOutOfTime(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === OUT_OF_TIME;
}

/** Milliseconds of processor time of this thread; of any time where Node does not measure that (before 22.19). */
export function spent(): number {
  const usage = process.threadCpuUsage?.();
  return usage === undefined ? performance.now() : (usage.user + usage.system) / 1_000;
}
