import { type Kysely, sql } from 'kysely';
import { actAs, EVERYONE } from '../acting-user.js';
import type { Tables } from '../tables.js';

/**
 * Vectors that can be compared in the time that the index takes to find the nearest. The index is of all users: where a
 * user has a part of the vectors, it takes as many times as long as that part is smaller than all.
 */
const MAX_EXACT = 4_000;
/** Milliseconds for which a choice holds, and users whose choices are kept. */
const KEPT = { milliseconds: 10_000, users: 1_000 };

/** Whether a user's vectors are compared one by one, rather than found by the index. */
export type IsExact = (userId: string) => Promise<boolean>;

export function createIsExact(db: Kysely<Tables>): IsExact {
  const choices = new Map<string, { isExact: boolean; until: number }>();

  return async (userId) => {
    const kept = choices.get(userId);
    if (kept !== undefined && performance.now() < kept.until) return kept.isExact;
    const ownRows = await sql<{ chunks: number }>`
      select chunks from store_counts where user_id = ${userId}`.execute(db);
    const own = ownRows.rows[0]?.chunks ?? 0;
    // The index is of all users, whose rows a user does not see.
    const { rows } = await actAs(EVERYONE, () =>
      sql<{ chunks: number }>`select coalesce(sum(chunks), 0) as chunks from store_counts`.execute(db),
    );
    const all = rows[0]?.chunks ?? 0;
    const isExact = own * (own / Math.max(all, 1)) <= MAX_EXACT;
    if (choices.size >= KEPT.users) choices.clear();
    choices.set(userId, { isExact, until: performance.now() + KEPT.milliseconds });
    return isExact;
  };
}
