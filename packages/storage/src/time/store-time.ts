import { sql } from 'kysely';
import type { SqlDialect } from '../dialect.js';
import type { Trx } from '../tables.js';

/** The longest time between two readings of the wall clock that counts in full, in milliseconds. */
const MAX_COUNTED_GAP = 86_400_000;
/** A reading less than this many milliseconds after the last one is not stored. */
const PRECISION = 3_600_000;

/**
 * Reads the clock in the caller's transaction and returns the milliseconds that the store has observed since it was
 * created. Deletion by age uses this time and never the wall clock. If the wall clock is set ahead, even by years, this
 * time advances by at most a day; if it is set back, this time goes back by at most a day. So contradicting clocks add
 * nothing. It also stops while the store is not used, so data with a limit of 30 days may be kept longer.
 */
export async function readStoreTime(trx: Trx, now: string): Promise<number> {
  const last = await trx.selectFrom('store_time').selectAll().executeTakeFirst();
  if (last === undefined) {
    await trx.insertInto('store_time').values({ id: 1, elapsed: 0, looked_at: now, clock_jump: 0 }).execute();
    return 0;
  }
  const passed = Date.parse(now) - Date.parse(last.looked_at);
  const elapsed = storeTimeAt(last, now);
  if (passed < 0 || passed >= PRECISION) {
    const jump = passed > MAX_COUNTED_GAP ? passed : 0;
    await trx
      .updateTable('store_time')
      .set({ elapsed, looked_at: now, clock_jump: Math.max(last.clock_jump, jump) })
      .execute();
  }
  return elapsed;
}

/** The store's own time at an instant, from the last reading of the clock. */
export function storeTimeAt(last: { elapsed: number; looked_at: string }, now: string): number {
  const passed = Date.parse(now) - Date.parse(last.looked_at);
  return last.elapsed + Math.min(Math.max(passed, -MAX_COUNTED_GAP), MAX_COUNTED_GAP);
}

/**
 * Returns and resets the longest time between two readings since the last call, in milliseconds, if it is too long to
 * count in full; else 0. It includes readings by others, such as a capture or a deletion before this call.
 */
export async function takeClockJump(trx: Trx): Promise<number> {
  const row = await trx.selectFrom('store_time').select('clock_jump').executeTakeFirst();
  if (row === undefined || row.clock_jump === 0) return 0;
  await trx.updateTable('store_time').set({ clock_jump: 0 }).execute();
  return row.clock_jump;
}

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

/** Milliseconds that an instant may lie ahead of the clock without the clock counting as set back. */
const TOLERANCE = 60_000;

/** The latest plausible recorded instant. A later one means that the clock has been set back since (REL-12). */
export function latestPlausible(now: string): string {
  return new Date(Date.parse(now) + TOLERANCE).toISOString();
}
