import { count, formatBytes } from '@recollect/contract/text';
import type { NewestBackup, OpenPermission, StoreFacts, StoreVersions, WorkFacts } from '../ports/index.js';
import { type Finding, failure, ok, warning } from './finding.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const MEGABYTE = 1024 * 1024;
/** Bytes that captures may need: below `least`, even small ones fail soon. */
const SPACE = { least: 100 * MEGABYTE, enough: 1024 * MEGABYTE };
/** How far the clock may be from its last reading. */
const CLOCK = { behind: HOUR, ahead: 30 * DAY };
/** After so long, a backup lacks too much. */
const BACKUP = 2 * DAY;

/** Indexing and events that have stopped. */
export function judgeWork({ failedIndexing, parkedEvents, stuckLeases }: WorkFacts): Finding[] {
  return [
    failedIndexing.length === 0
      ? ok('indexing', 'No indexing job has failed.')
      : warning('indexing', `Indexing has stopped: ${failedIndexing[0]}`),
    parkedEvents === 0
      ? ok('events', 'Plugins have been notified of all captures.')
      : warning('events', `Plugins could not be notified of ${parkedEvents} captures.`),
    stuckLeases === 0
      ? ok('leases', 'No stuck jobs.')
      : warning('leases', `${count(stuckLeases, 'job')} stuck: leases end over an hour from now.`),
  ];
}

export function judgeVersions({ database, missing, unknown }: StoreVersions): Finding {
  if (unknown.length > 0) {
    const sentence = 'The store was written by a newer version of Recollect.';
    return failure('versions', `${sentence} Its memories were not checked, and nothing is repaired. Update Recollect.`);
  }
  const versions = `SQLite ${database}`;
  return missing.length > 0
    ? warning(
        'versions',
        `The store is of an earlier version. It is updated when Recollect next opens it; only then can its memories be checked. ${versions}.`,
      )
    : ok('versions', `The store is of this version. ${versions}.`);
}

export function judgePermissions(open: readonly OpenPermission[]): Finding {
  const [first] = open;
  return first === undefined
    ? ok('permissions', 'Only this account can read the store.')
    : failure('permissions', `Other accounts can read or replace the store: ${first.path} has the mode ${first.mode}.`);
}

export function judgeSpace({ freeBytes, lacksReserve }: Pick<StoreFacts, 'freeBytes' | 'lacksReserve'>): Finding[] {
  const reserve =
    'The disk has no room for the space that a server keeps for deletions: once it is full, nothing can be deleted.';
  return [judgeFreeSpace(freeBytes), ...(lacksReserve ? [warning('reserve', reserve)] : [])];
}

function judgeFreeSpace(freeBytes: number | null): Finding {
  if (freeBytes === null) return ok('disk', 'The store is not on a disk of this machine.');
  const message = `${formatBytes(freeBytes, 'en')} free on the disk of the store.`;
  if (freeBytes < SPACE.least) return failure('disk', `${message} Captures will fail soon.`);
  return freeBytes < SPACE.enough ? warning('disk', message) : ok('disk', message);
}

export function judgeClock(lastReading: string | null, now: Date): Finding {
  if (lastReading === null) return ok('clock', 'The clock has not been read yet.');
  const passed = now.getTime() - Date.parse(lastReading);
  if (passed < -CLOCK.behind) {
    return warning('clock', `The clock is ${inDays(-passed)} behind its last reading. Is it right?`);
  }
  if (passed > CLOCK.ahead) {
    return warning('clock', `The clock is ${inDays(passed)} ahead of its last reading. Is it right?`);
  }
  return ok('clock', 'The clock agrees with its last reading.');
}

export function judgeBackup(backup: NewestBackup | null, now: Date): Finding {
  if (backup === null) return warning('backups', 'There is no backup.');
  const age = now.getTime() - Date.parse(backup.at);
  if (age > BACKUP) return warning('backups', `The newest backup is ${inDays(age)} old: ${backup.path}`);
  return ok('backups', `The newest backup is ${inDays(age)} old: ${backup.path}`);
}

function inDays(milliseconds: number): string {
  if (milliseconds >= 2 * DAY) return `${Math.round(milliseconds / DAY)} days`;
  const hours = Math.round(milliseconds / HOUR);
  return hours === 0 ? 'less than an hour' : count(hours, 'hour');
}
