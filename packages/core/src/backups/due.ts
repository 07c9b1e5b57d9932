import type { BackupFailure } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import type { StoredBackup } from '../ports/index.js';

const { intervalMs, retryMs } = limits.backups;

/**
 * The backups that were made by now. One with a later time was made by a clock that was wrong, so its age is unknown.
 *
 * @param now milliseconds of the wall clock
 */
export function madeBy(now: number, backups: readonly StoredBackup[]): StoredBackup[] {
  return backups.filter(({ at }) => Date.parse(at) <= now);
}

/** When the next automatic backup or the next attempt is due, in milliseconds of the wall clock. */
export function nextBackupAt(backups: readonly StoredBackup[], failure: BackupFailure | null, now: number): number {
  if (failure !== null) {
    const delay = Math.min(retryMs.base * 2 ** Math.min(failure.attempts - 1, 20), retryMs.maximum);
    return after(Date.parse(failure.at), delay, now);
  }
  const newest = madeBy(now, backups).find(({ kind, isVerified }) => isVerified && kind !== 'migration');
  return newest === undefined ? now : Date.parse(newest.at) + intervalMs;
}

/** A failure in the future was saved by a clock that was wrong, so the work is due now. */
function after(instant: number, delay: number, now: number): number {
  return instant > now ? now : instant + delay;
}

/** A day's first automatic backup is made even if nothing has changed, so that each day has one. */
export function kindOfDue(backups: readonly StoredBackup[], now: Date): 'hourly' | 'daily' {
  const day = now.toISOString().slice(0, 'yyyy-mm-dd'.length);
  return backups.some(({ kind, at, isVerified }) => isVerified && kind === 'daily' && at.startsWith(day))
    ? 'hourly'
    : 'daily';
}
