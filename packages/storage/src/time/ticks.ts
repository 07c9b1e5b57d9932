import { sql } from 'kysely';
import type { SqlDialect } from '../dialect.js';

/** Milliseconds of a monotonic clock that all processes of the machine share. */
export type Ticks = () => number;

/**
 * The machine's monotonic clock. It stops while the machine sleeps and restarts with the machine, so an instant in its
 * future was recorded before the last restart.
 */
export const machineTicks: Ticks = () => Number(process.hrtime.bigint() / 1_000_000n);

/** A lease clock that is read in this process and bound as a number. */
export function clockOf(ticks: Ticks): SqlDialect['clock'] {
  return (after = 0) => sql.val(ticks() + after);
}
