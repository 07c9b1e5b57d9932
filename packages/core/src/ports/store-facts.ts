/** The size of a store. Sizes are in bytes. */
export interface StoreFacts {
  /** The file or address of the store. Null if it is in memory. */
  location: string | null;
  bytes: number;
  /** Free space on its disk. Null if it has none. */
  freeBytes: number | null;
}

/** Counts of a user's store. */
export interface StoreCounts {
  memories: number;
  chunks: number;
  highlights: number;
  trash: number;
}

/** Describes the store, for its owner. */
export interface StoreInspector {
  facts(): Promise<StoreFacts>;
  counts(userId: string): Promise<StoreCounts>;
}
