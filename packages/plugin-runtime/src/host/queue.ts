import { RecollectError } from '@recollect/core';

/** Runs one task at a time, in the order of the calls. */
export type Queue = <T>(work: () => Promise<T>) => Promise<T>;

/** Creates a queue that rejects a task when `most` others are already waiting. */
export function createQueue(most: number): Queue {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return (work) => {
    if (waiting >= most) {
      return Promise.reject(
        new RecollectError('UNAVAILABLE', 'Too many calls are waiting for this plugin. Try again later.'),
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
