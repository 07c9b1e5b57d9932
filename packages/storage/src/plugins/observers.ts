import type { Database } from '../dialect.js';

/** Milliseconds that an answer is cached: reading it after each commit took 3 % of a capture. */
const CACHE_MS = 100;

/** Whether any plugin observes captures; if none does, captures write no events. */
export interface Observers {
  /** A change by another process is seen a tenth of a second later. */
  exist(): Promise<boolean>;
  /** Drops the cached answer, because installations have changed. */
  invalidate(): void;
}

export function createObservers({ lookup }: Database): Observers {
  const first = lookup
    .selectFrom('plugin_installations')
    .select('slug')
    .where('is_enabled', '=', 1)
    .where('observes_captures', '=', 1)
    .limit(1)
    .compile();
  let known: { exist: boolean; until: number } | null = null;

  return {
    async exist() {
      if (known !== null && performance.now() < known.until) return known.exist;
      const { rows } = await lookup.executeQuery(first);
      known = { exist: rows.length > 0, until: performance.now() + CACHE_MS };
      return known.exist;
    },
    invalidate() {
      known = null;
    },
  };
}
