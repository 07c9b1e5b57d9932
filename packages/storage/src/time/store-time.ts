import type { Trx } from '../tables.js';

/** The most that counts of the time between two looks at the wall clock, in milliseconds. */
const MOST = 86_400_000;
/** A look that is less than this after the last one is not written down, in milliseconds. */
const PRECISION = 3_600_000;

/**
 * Looks at the clock, in the caller's transaction: the milliseconds that the store has seen pass since it was made. What is
 * deleted for its age is deleted by this time and never by the wall clock. A clock that is set ahead, even by years, moves it
 * on by a day, and one that is set back moves it back by a day, so that clocks that contradict each other add nothing. It also
 * stands still while the store is not used, and what is kept for 30 days may be kept for longer.
 */
export async function readStoreTime(trx: Trx, now: string): Promise<number> {
  const last = await trx.selectFrom('store_time').selectAll().executeTakeFirst();
  if (last === undefined) {
    await trx.insertInto('store_time').values({ id: 1, elapsed: 0, looked_at: now, clock_jump: 0 }).execute();
    return 0;
  }
  const passed = Date.parse(now) - Date.parse(last.looked_at);
  const elapsed = last.elapsed + Math.min(Math.max(passed, -MOST), MOST);
  if (passed < 0 || passed >= PRECISION) {
    const jump = passed > MOST ? passed : 0;
    await trx
      .updateTable('store_time')
      .set({ elapsed, looked_at: now, clock_jump: Math.max(last.clock_jump, jump) })
      .execute();
  }
  return elapsed;
}

/**
 * The longest time between two looks since this was asked last, in milliseconds, where it is too long to count in full; else 0.
 * Whoever looked first: a capture or a deletion may come before the one that asks.
 */
export async function takeClockJump(trx: Trx): Promise<number> {
  const row = await trx.selectFrom('store_time').select('clock_jump').executeTakeFirst();
  if (row === undefined || row.clock_jump === 0) return 0;
  await trx.updateTable('store_time').set({ clock_jump: 0 }).execute();
  return row.clock_jump;
}
