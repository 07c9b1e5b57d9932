import { statSync } from 'node:fs';

/** The share of its time that a backup works: while the store is being written to, and otherwise. */
const DUTY = { busy: 0.03, idle: 0.75 };
/** Milliseconds after a write during which the store counts as busy. */
const BUSY = 1_000;
/** The longest pause, in milliseconds. */
const LONGEST = 2_000;

/**
 * How much more than the usual step one may count for. A longer step has waited for a processor, and kept none busy.
 */
const SLOWER = 4;
/** By how much the usual duration of a step grows with each step, in case the first ones were short. */
const GROWTH = 1.05;

/** Pauses the calling thread after each step, for longer while the store is being written to. */
export interface Pace {
  rest(): void;
}

/**
 * Makes the pace of a backup. Any process may write to the store, so its WAL is watched: by path, because closing a
 * descriptor of it would release locks. `isStopped` ends a pause early.
 */
export function createPace(storePath: string, isStopped: () => boolean): Pace {
  const signal = new Int32Array(new SharedArrayBuffer(4));
  let known = walOf(storePath);
  let changedAt = Number.NEGATIVE_INFINITY;
  let began = performance.now();
  let usual = Number.POSITIVE_INFINITY;
  return {
    rest() {
      const took = performance.now() - began;
      usual = Math.min(took, usual * GROWTH);
      const worked = Math.min(took, usual * SLOWER);
      const present = walOf(storePath);
      if (present !== known) changedAt = performance.now();
      known = present;
      const duty = performance.now() - changedAt < BUSY ? DUTY.busy : DUTY.idle;
      const pause = Math.min(worked * (1 / duty - 1), LONGEST);
      if (!isStopped()) Atomics.wait(signal, 0, 0, pause);
      began = performance.now();
    },
  };
}

function walOf(storePath: string): string {
  const wal = statSync(`${storePath}-wal`, { throwIfNoEntry: false });
  return wal === undefined ? '' : `${wal.mtimeMs} ${wal.size}`;
}
