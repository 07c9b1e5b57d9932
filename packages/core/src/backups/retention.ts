import { limits } from '@recollect/contract/limits';
import type { StoredBackup } from '../ports/index.js';
import { madeBy } from './due.js';

const { kept } = limits.backups;
/** Characters of an ISO instant that name its hour and its day. */
const HOUR = 'yyyy-mm-ddThh'.length;
const DAY = 'yyyy-mm-dd'.length;

/**
 * The backups that are no longer needed. Of the automatic backups, the newest of each of the last 24 hours and 30 days
 * that have one are kept. Hours and days without a backup do not count, so that neither a wrong clock nor a pause
 * removes any. Of those before a migration, the last five are kept. Backups on request, and those without a valid
 * check, are never removed. Backups that a wrong clock has dated in the future are counted apart, so that they take the
 * place of no other.
 */
export function superfluous(backups: readonly StoredBackup[], now: Date): StoredBackup[] {
  const past = madeBy(now.getTime(), backups);
  const future = backups.filter((backup) => !past.includes(backup));
  return [...superfluousOf(past), ...superfluousOf(future)];
}

function superfluousOf(backups: readonly StoredBackup[]): StoredBackup[] {
  const candidates = backups
    .filter(({ kind, isVerified }) => kind !== 'manual' && isVerified)
    .sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
  const automatic = candidates.filter(({ kind }) => kind !== 'migration');
  const migrations = candidates.filter(({ kind }) => kind === 'migration');
  const needed = new Set([
    ...newestPer(HOUR, automatic, kept.hourly),
    ...newestPer(DAY, automatic, kept.daily),
    ...migrations.slice(0, kept.migration),
  ]);
  return candidates.filter((backup) => !needed.has(backup));
}

/** The newest backup of each period, for the last `count` periods. The backups must be newest first. */
function newestPer(period: number, backups: readonly StoredBackup[], count: number): StoredBackup[] {
  const newest = new Map<string, StoredBackup>();
  for (const backup of backups) {
    const name = backup.at.slice(0, period);
    if (!newest.has(name)) newest.set(name, backup);
  }
  return [...newest.values()].slice(0, count);
}
