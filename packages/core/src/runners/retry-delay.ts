import { limits } from '@recollect/contract/limits';

const { attempts, backoffMs } = limits.work;

/**
 * How long to wait after the given number of failures in a row: min(15 s · 2ⁿ, 1 h), less up to a fifth by chance so
 * that runners do not come back together. Null when it was tried often enough.
 */
export function retryDelay(failures: number, chance: number = Math.random()): number | null {
  if (failures >= attempts) return null;
  const delay = Math.min(backoffMs.base * 2 ** Math.max(0, failures - 1), backoffMs.maximum);
  return Math.round(delay * (1 - chance / 5));
}
