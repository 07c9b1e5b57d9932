/** Runs work one at a time. Callers with waiting work take turns. */
export type FairQueue = <T>(caller: string, work: () => Promise<T>) => Promise<T>;

/** Pieces of work that may wait: altogether, and of one caller. */
export interface QueueLimits {
  all: number;
  ofCaller: number;
}

/** More work waits than the limits allow. */
export class QueueFullError extends Error {
  override readonly name = 'QueueFullError';
}

/**
 * Makes a queue in which a caller waits for at most one piece of work of each other caller, however much they have
 * given. Work beyond the limits is rejected with {@link QueueFullError}.
 *
 * @example
 * const inTurn = createFairQueue({ all: 64, ofCaller: 32 });
 * const read = (page: string) => async () => page;
 * // The page of ben is read before the second one of ann.
 * await Promise.all([inTurn('ann', read('one')), inTurn('ann', read('two')), inTurn('ben', read('three'))]);
 */
export function createFairQueue({ all, ofCaller }: QueueLimits): FairQueue {
  /** By caller, in the order of their turns. */
  const waiting = new Map<string, (() => Promise<void>)[]>();
  let count = 0;
  let isRunning = false;

  const run = async () => {
    if (isRunning) return;
    isRunning = true;
    for (const [caller, tasks] of waiting) {
      // A caller with more goes to the end, where this loop comes to it again.
      waiting.delete(caller);
      const task = tasks.shift();
      count -= 1;
      if (tasks.length > 0) waiting.set(caller, tasks);
      await task?.();
    }
    isRunning = false;
  };

  return (caller, work) =>
    new Promise((resolve, reject) => {
      const tasks = waiting.get(caller) ?? [];
      if (count >= all || tasks.length >= ofCaller) {
        reject(new QueueFullError('Too much work is waiting.'));
        return;
      }
      tasks.push(() => work().then(resolve, reject));
      count += 1;
      waiting.set(caller, tasks);
      void run();
    });
}
