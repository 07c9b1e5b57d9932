import type { ChangeLog } from '@recollect/core';

/** Milliseconds between two looks at the change sequence, which other processes change too. */
const LOOK_EVERY = 500;

/** Notifies its followers whenever the change sequence has grown. It looks only while there are any. */
export interface ChangeFeed {
  /** Calls `notify` after each growth, with the newest number, until the returned function is called. */
  follow(notify: (newest: number) => void): () => void;
}

export function createChangeFeed(changes: ChangeLog): ChangeFeed {
  const followers = new Set<(newest: number) => void>();
  let isLooking = false;

  const look = async () => {
    const newest = await changes.latest().catch(() => null);
    if (newest !== null) for (const notify of followers) notify(newest);
    isLooking = followers.size > 0;
    if (isLooking) setTimeout(look, LOOK_EVERY).unref();
  };

  return {
    follow(notify) {
      followers.add(notify);
      if (!isLooking) setTimeout(look, LOOK_EVERY).unref();
      isLooking = true;
      return () => followers.delete(notify);
    },
  };
}
