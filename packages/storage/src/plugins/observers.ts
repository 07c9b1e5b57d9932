import type { Database } from '../tables.js';

/** How long it is taken to be as it was, in milliseconds: reading it after each commit took 3 % of a capture. */
const KNOWN = 100;

/** Whether any plugin observes captures, for those that would otherwise write events for nobody. */
export interface Observers {
  /** What another process changes is seen a tenth of a second later. */
  areThere(): Promise<boolean>;
  /** Asks again the next time, since installations have changed. */
  forget(): void;
}

export function createObservers({ lookup }: Database): Observers {
  const first = lookup
    .selectFrom('plugin_installations')
    .select('slug')
    .where('is_enabled', '=', 1)
    .where('observes_captures', '=', 1)
    .limit(1)
    .compile();
  let known: { areThere: boolean; until: number } | null = null;

  return {
    async areThere() {
      if (known !== null && performance.now() < known.until) return known.areThere;
      const { rows } = await lookup.executeQuery(first);
      known = { areThere: rows.length > 0, until: performance.now() + KNOWN };
      return known.areThere;
    },
    forget() {
      known = null;
    },
  };
}
