import { availableParallelism, loadavg } from 'node:os';

/** The load of a machine, for which background work slows down. */
export interface Machine {
  /** Processes that computed or waited for a processor in the last minute, per processor. 0 where it is not known. */
  load(): number;
  /** Whether a battery supplies the power. */
  isOnBattery(): Promise<boolean>;
}

/** Embedding keeps each processor busy with one process. With more than this, others wait. */
const CROWDED = 1.5;
/** Milliseconds between two looks at the battery. */
const LOAD_CHECK_INTERVAL_MS = 30_000;
/** The longest pause, in milliseconds. */
const MAX_PAUSE_MS = 5_000;

/** This machine. */
export const thisMachine: Machine = {
  load: () => (loadavg()[0] ?? 0) / availableParallelism(),
  async isOnBattery() {
    // Loaded on demand: few servers ever have a backlog.
    const { battery } = await import('systeminformation');
    const { hasBattery, acConnected } = await battery();
    return hasBattery && !acConnected;
  },
};

/**
 * Says how many milliseconds background work should pause after it has worked for some: as long again on a battery, and
 * as long again while other programs want the processors. Otherwise it need not pause, since its threads have a low
 * priority.
 */
export function createPace(machine: Machine = thisMachine): (worked: number) => Promise<number> {
  let isOnBattery = false;
  let lookAgainAt = 0;
  return async (worked) => {
    if (performance.now() > lookAgainAt) {
      lookAgainAt = performance.now() + LOAD_CHECK_INTERVAL_MS;
      isOnBattery = await machine.isOnBattery().catch(() => false);
    }
    const shares = (isOnBattery ? 1 : 0) + (machine.load() > CROWDED ? 1 : 0);
    return Math.min(MAX_PAUSE_MS, shares * worked);
  };
}
