import type { CorePorts } from '../ports/core-ports.js';
import type { IntegrityRound, MemoryKey } from '../ports/index.js';

const DAY = 86_400_000;
/** Days from the start of one check of all memories to the next. */
const CHECK_INTERVAL_MS = 7 * DAY;
/** Memories per batch: a few milliseconds of reading. */
const BATCH = 50;

/** The result of one batch. */
export interface ScrubReport {
  damaged: readonly MemoryKey[];
  /** Whether there is nothing to check until the next week. */
  isDone: boolean;
}

export type ScrubUseCase = () => Promise<ScrubReport>;

/**
 * Makes the use case that checks the next memories against their checksums, and computes missing ones. All are checked
 * every week. The position is stored, so that a restart continues.
 */
export function createScrub({ integrity, clock }: Pick<CorePorts, 'integrity' | 'clock'>): ScrubUseCase {
  return async () => {
    const now = clock.now();
    const round = await integrity.round();
    if (round !== null && round.finishedAt !== null && !isDue(round, now)) return { damaged: [], isDone: true };
    const open: IntegrityRound =
      round === null || round.finishedAt !== null
        ? { after: { userId: '', id: '' }, startedAt: now.toISOString(), finishedAt: null }
        : round;
    const { checked, last, damaged, withoutChecksum } = await integrity.checkNext(open.after, BATCH);
    for (const { userId, id } of damaged) await integrity.record(userId, id, now.toISOString());
    await integrity.addChecksums(withoutChecksum);
    const isDone = checked < BATCH;
    await integrity.saveRound({
      ...open,
      after: last ?? open.after,
      finishedAt: isDone ? now.toISOString() : null,
    });
    return { damaged, isDone };
  };
}

/** Also when the clock was ahead at the last start. */
function isDue({ startedAt }: IntegrityRound, now: Date): boolean {
  const passed = now.getTime() - Date.parse(startedAt);
  return passed >= CHECK_INTERVAL_MS || passed < -DAY;
}
