import { limits } from '@recollect/contract/limits';

const { attempts, backoffMs } = limits.work;

/**
 * The delay in milliseconds before the next attempt, after `failures` failures in a row: 15 s, doubled with each
 * further failure up to 1 h, minus up to a fifth at random so that runners do not retry simultaneously. Null after the
 * last attempt.
 *
 * @example
 * retryDelay(1, 0); // 15_000
 * retryDelay(3, 0); // 60_000
 * retryDelay(8); // null
 */
export function retryDelay(failures: number, jitter: number = Math.random()): number | null {
  if (failures >= attempts) return null;
  const delay = Math.min(backoffMs.base * 2 ** Math.max(0, failures - 1), backoffMs.maximum);
  return Math.round(delay * (1 - jitter / 5));
}
