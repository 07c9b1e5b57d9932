/** The memories that a user saved on a day, in UTC. */
export interface SavedOnDay {
  /** `2026-11-30`. */
  day: string;
  saved: number;
}

/** The memories that a user opened last on a day, in UTC. */
export interface OpenedOnDay {
  day: string;
  opened: number;
  /** How many of them were read to the end. */
  read: number;
  /** Chunks of them that were read. */
  chunks: number;
}

/** Counts of live memories by day. Indexes find them, so the cost depends on the period and not on the store. */
export interface StatisticsStore {
  /** @param since the first day */
  saved(userId: string, since: string): Promise<SavedOnDay[]>;
  /** @param since the first day */
  opened(userId: string, since: string): Promise<OpenedOnDay[]>;
  /** How many highlights there are, and the bytes of all texts. */
  size(userId: string): Promise<{ highlights: number; textBytes: number }>;
}
