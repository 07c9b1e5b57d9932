/** Words of the lock in shared memory: the number of readers, and the number of waiting writers. */
const HOLDERS = 0;
const WAITING = 1;
/** The value of `HOLDERS` while a writer holds the lock. */
const EXCLUSIVE = -1;
/** Milliseconds after which a waiting thread looks again, in case nobody woke it. */
const WAIT_MS = 20;

/** A thread that held the lock has died, or holds it for seconds. */
export class LockTimeoutError extends Error {
  override name = 'LockTimeoutError';
  readonly code = 'VECTORS_LOCKED';
}

/** A reader–writer lock between threads. A waiting writer blocks new readers. */
export interface Lock {
  share<Result>(work: () => Result): Result;
  /** Like `share`, but returns undefined while a writer holds the lock or waits for it. */
  tryShare<Result>(work: () => Result): Result | undefined;
  holdAlone<Result>(work: () => Result): Result;
}

/** @param patience milliseconds until a wait ends with a {@link LockTimeoutError} */
export function createLock(words: Int32Array<SharedArrayBuffer>, patience = 2_000): Lock {
  const acquire = (next: (holders: number) => number | null) => {
    const until = performance.now() + patience;
    for (;;) {
      const holders = Atomics.load(words, HOLDERS);
      const desired = next(holders);
      if (desired !== null && Atomics.compareExchange(words, HOLDERS, holders, desired) === holders) return;
      if (desired !== null) continue;
      if (performance.now() > until) throw new LockTimeoutError('Another thread does not release the vectors.');
      Atomics.wait(words, HOLDERS, holders, WAIT_MS);
    }
  };

  const oneMore = (holders: number) => (holders === EXCLUSIVE || Atomics.load(words, WAITING) > 0 ? null : holders + 1);

  const acquireNow = (): boolean => {
    for (;;) {
      const holders = Atomics.load(words, HOLDERS);
      const desired = oneMore(holders);
      if (desired === null) return false;
      if (Atomics.compareExchange(words, HOLDERS, holders, desired) === holders) return true;
    }
  };

  const workShared = <Result>(work: () => Result): Result => {
    try {
      return work();
    } finally {
      if (Atomics.sub(words, HOLDERS, 1) === 1) Atomics.notify(words, HOLDERS);
    }
  };

  return {
    share(work) {
      acquire(oneMore);
      return workShared(work);
    },
    tryShare: (work) => (acquireNow() ? workShared(work) : undefined),
    holdAlone(work) {
      Atomics.add(words, WAITING, 1);
      try {
        acquire((holders) => (holders === 0 ? EXCLUSIVE : null));
      } finally {
        Atomics.sub(words, WAITING, 1);
      }
      try {
        return work();
      } finally {
        Atomics.store(words, HOLDERS, 0);
        Atomics.notify(words, HOLDERS);
      }
    },
  };
}
