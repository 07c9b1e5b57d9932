/** The size of a store. Sizes are in bytes. */
export interface StoreFacts {
  /** The file or address of the store. Null if it is in memory. */
  location: string | null;
  bytes: number;
  /** Free space on its disk. Null if it has none. */
  freeBytes: number | null;
  /** Whether no space is kept for deletions, and the disk has no room for it: once it is full, nothing can be deleted. */
  lacksReserve: boolean;
}

/** Counts of a user's store. */
export interface StoreCounts {
  memories: number;
  chunks: number;
  highlights: number;
  trash: number;
}

/** Why a store accepts no changes: the code of the problem, and what to do. */
export interface StoreProblem {
  code: 'STORE_HALTED' | 'STORE_DAMAGED' | 'STORE_GONE';
  message: string;
  /** Seconds after which a change may be accepted again; missing where nobody knows. */
  retryAfter?: number;
  /** The path of a copy of everything that was saved, if one was made. */
  rescue?: string | null;
}

/** Describes the store, for its owner. */
export interface StoreInspector {
  facts(): Promise<StoreFacts>;
  /** Null while the store accepts changes. */
  problem(): StoreProblem | null;
  counts(userId: string): Promise<StoreCounts>;
}
