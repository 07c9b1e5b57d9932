import type { MemoryDetail } from '@recollect/contract';

/** Milliseconds between the time of the original and the save from which both are shown. */
const DAY_MS = 86_400_000;
/** Clients that save content of an earlier date. Other clients save the open page. */
const IMPORTERS: readonly string[] = ['cli', 'web'];

/**
 * When a memory was saved in this store, and whether that was long after the time of the original, as with an import.
 */
export interface SaveTimes {
  /** In ISO 8601. */
  savedAt: string;
  isLater: boolean;
  isImport: boolean;
}

/** Returns the times of a memory's save. Its id, a UUIDv7, begins with the time at which it was created. */
export function saveTimes({ id, capturedAt, savedBy }: Pick<MemoryDetail, 'id' | 'capturedAt' | 'savedBy'>): SaveTimes {
  const createdAt = timeOfId(id);
  const isLater = createdAt !== null && createdAt - Date.parse(capturedAt) > DAY_MS;
  return {
    savedAt: isLater ? new Date(createdAt).toISOString() : capturedAt,
    isLater,
    isImport: isLater && IMPORTERS.includes(savedBy?.client ?? ''),
  };
}

const UUID_V7 = /^([0-9a-f]{8})-([0-9a-f]{4})-7/i;

function timeOfId(id: string): number | null {
  const [, high, low] = UUID_V7.exec(id) ?? [];
  return high === undefined ? null : Number.parseInt(`${high}${low}`, 16);
}
