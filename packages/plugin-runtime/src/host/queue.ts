import { RecollectError } from '@recollect/core';

/** Does one thing at a time, in the order asked. */
export type Queue = <T>(work: () => Promise<T>) => Promise<T>;

/** A queue in which at most `most` may wait; beyond that it refuses. */
export function createQueue(most: number): Queue {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return (work) => {
    if (waiting >= most) {
      return Promise.reject(
        new RecollectError('UNAVAILABLE', 'Too much waits for this plugin already. Try again later.'),
      );
    }
    waiting += 1;
    const done = last.then(() => {
      waiting -= 1;
      return work();
    });
    last = done.catch(() => {});
    return done;
  };
}
