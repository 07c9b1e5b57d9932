/** Runs work one at a time. Callers with waiting work take turns. */
export type FairQueue = <T>(caller: string, work: () => Promise<T>) => Promise<T>;

/**
 * Makes a queue in which a caller waits for at most one piece of work of each other caller, however much they have given.
 *
 * @example
 * const inTurn = createFairQueue();
 * const read = (page: string) => async () => page;
 * // The page of ben is read before the second one of ann.
 * await Promise.all([inTurn('ann', read('one')), inTurn('ann', read('two')), inTurn('ben', read('three'))]);
 */
export function createFairQueue(): FairQueue {
  /** By caller, in the order of their turns. */
  const waiting = new Map<string, (() => Promise<void>)[]>();
  let isRunning = false;

  const run = async () => {
    if (isRunning) return;
    isRunning = true;
    for (const [caller, tasks] of waiting) {
      // A caller with more goes to the end, where this loop comes to it again.
      waiting.delete(caller);
      const task = tasks.shift();
      if (tasks.length > 0) waiting.set(caller, tasks);
      await task?.();
    }
    isRunning = false;
  };

  return (caller, work) =>
    new Promise((resolve, reject) => {
      const tasks = waiting.get(caller) ?? [];
      tasks.push(() => work().then(resolve, reject));
      waiting.set(caller, tasks);
      void run();
    });
}
