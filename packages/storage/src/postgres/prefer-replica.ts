import { setTimeout } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { Searches } from '../dialect.js';
import type { Tables } from '../tables.js';

/** Milliseconds in which a replica must say how far it is, and for which it is left alone after it failed. */
const TIMES = { answer: 500, away: 10_000 };

/** Whether a replica has all changes of a user. Throws if it does not say. */
export type IsCaughtUp = (userId: string) => Promise<boolean>;

/** Compares the numbers of a user's last change, which a replica gets in the transaction of the change. */
export function compareChanges(primary: Kysely<Tables>, replica: Kysely<Tables>): IsCaughtUp {
  const newest = async (db: Kysely<Tables>, userId: string) => {
    const { rows } = await sql<{ last: number }>`
      select last from change_counters where user_id = ${userId}`.execute(db);
    return rows[0]?.last ?? 0;
  };
  const late = async (signal: AbortSignal) => {
    await setTimeout(TIMES.answer, undefined, { signal });
    throw new Error('The replica is slow.');
  };
  return async (userId) => {
    const answered = new AbortController();
    try {
      const there = Promise.race([newest(replica, userId), late(answered.signal)]);
      const [here, reached] = await Promise.all([newest(primary, userId), there]);
      return reached >= here;
    } finally {
      answered.abort();
    }
  };
}

/**
 * Searches on a replica if it has all changes of the user, and otherwise on the primary. A search that fails on the
 * replica is repeated on the primary, which then does all of them for a while.
 * A search that its caller ended is not repeated.
 */
export function preferReplica(primary: Searches, replica: Searches, isCaughtUp: IsCaughtUp): Searches {
  let awayUntil = Number.NEGATIVE_INFINITY;

  const on = async <T>(
    userId: string,
    search: (searches: Searches) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> => {
    if (performance.now() > awayUntil) {
      try {
        if (await isCaughtUp(userId)) return await search(replica);
      } catch (error) {
        if (signal?.aborted) throw error;
        awayUntil = performance.now() + TIMES.away;
      }
    }
    return search(primary);
  };

  return {
    textIndex: {
      ...primary.textIndex,
      search: (userId, ...more) => on(userId, ({ textIndex }) => textIndex.search(userId, ...more)),
      frequencies: (userId, ...more) => on(userId, ({ textIndex }) => textIndex.frequencies(userId, ...more)),
      nearestWords: (userId, query, limit) =>
        on(userId, ({ textIndex }) => textIndex.nearestWords(userId, query, limit), limit?.signal),
    },
    vectorIndex: {
      ...primary.vectorIndex,
      search: (userId, ...more) => on(userId, ({ vectorIndex }) => vectorIndex.search(userId, ...more)),
      centre: (userId, ...more) => on(userId, ({ vectorIndex }) => vectorIndex.centre(userId, ...more)),
    },
    hybridIndex: {
      search: (userId, query, options) =>
        on(userId, ({ hybridIndex }) => hybridIndex.search(userId, query, options), options.signal),
    },
  };
}
