import type { Backup, BackupFailure, BackupKind, BackupList, BackupState, RestorePreview } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { RecollectError } from '../error.js';
import type { CorePorts } from '../ports/core-ports.js';
import type { BackupStore, StoredBackup, StoreProblem } from '../ports/index.js';
import { fileName } from './describe-backup.js';

const { intervalMs, retryMs } = limits.backups;

/**
 * The backups that were made by now. One with a later time was made by a clock that was wrong, so its age is unknown.
 *
 * @param now milliseconds of the wall clock
 */
function madeBy(now: number, backups: readonly StoredBackup[]): StoredBackup[] {
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

/** Backups of the whole store, for its owner. */
export interface Backups {
  list(): Promise<BackupList>;
  /** Null if the store is in memory, or in a database. */
  state(): Promise<BackupState | null>;
  /** Makes a backup now. It is kept until the user deletes it. */
  create(options?: { signal?: AbortSignal | undefined }): Promise<Backup>;
  /**
   * Makes the automatic backup that is due, if any, and removes those that are no longer needed. Throws if that fails;
   * the failure is saved for `state`, and the next attempt is due after a growing delay. Makes none while the store's
   * files are gone.
   */
  runDue(options?: { signal?: AbortSignal | undefined }): Promise<Backup | null>;
  /** Checks a backup, by the name of its file, and compares it with the store. Throws NOT_FOUND and BACKUP_FAILED. */
  previewRestore(name: string, signal: AbortSignal): Promise<RestorePreview>;
  /** Checks a backup, and makes the server start again with it. Throws NOT_FOUND and BACKUP_FAILED. */
  restore(name: string, signal: AbortSignal): Promise<void>;
}

export type BackupPorts = Pick<
  CorePorts,
  'backupStore' | 'backupRestorer' | 'backupAdvice' | 'changes' | 'clock' | 'inspector'
>;

/** Makes the use cases of backups. */
export function createBackups(ports: BackupPorts): Backups {
  const { backupStore, backupRestorer, backupAdvice: advice, changes, clock, inspector } = ports;
  let running: Promise<unknown> = Promise.resolve();
  /** Backups are made one after another. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = running.then(work);
    running = done.catch(() => {});
    return done;
  };

  /** The problem if the store's files are gone: a file at its path is then not the store, and must not be backed up. */
  const loss = (): StoreProblem | null => {
    const problem = inspector.problem();
    return problem?.code === 'STORE_GONE' ? problem : null;
  };

  const state = async (store: BackupStore, backups: readonly StoredBackup[]): Promise<BackupState> => {
    const failure = await store.failure();
    const next = nextBackupAt(backups, failure, clock.now().getTime());
    return {
      folder: store.folder,
      isAutomatic: store.isAutomatic,
      last: backups[0] === undefined ? null : toBackup(backups[0]),
      nextAt: store.isAutomatic ? new Date(next).toISOString() : null,
      failure,
    };
  };

  const find = async (name: string) => {
    const backup = (await required(backupStore, advice).list()).find(({ path }) => fileName(path) === name);
    if (backup === undefined) throw new RecollectError('NOT_FOUND', 'No backup has this name.');
    if (backupRestorer === null) throw new RecollectError('NOT_FOUND', 'No server runs that restores backups.');
    return { restorer: backupRestorer, backup };
  };

  const createDue = async (
    store: BackupStore,
    kind: BackupKind,
    signal: AbortSignal | undefined,
  ): Promise<StoredBackup> => {
    try {
      const backup = await store.create(kind, { signal });
      await store.saveFailure(null);
      return backup;
    } catch (error) {
      // Stopping the server is not a failure.
      if (signal?.aborted) throw error;
      const at = clock.now().toISOString();
      const { attempts, since } = (await store.failure()) ?? { attempts: 0, since: at };
      const message = error instanceof RecollectError ? error.message : 'The backup failed for an unexpected reason.';
      await store.saveFailure({ at, since, message, attempts: attempts + 1 });
      throw error;
    }
  };

  return {
    async list() {
      const restored = backupRestorer?.last ?? null;
      if (backupStore === null) return { backups: [], state: null, restored, advice };
      const backups = await backupStore.list();
      return { backups: backups.map(toBackup), state: await state(backupStore, backups), restored, advice };
    },
    async state() {
      return backupStore === null ? null : state(backupStore, await readable(backupStore));
    },
    create: ({ signal } = {}) =>
      inTurn(async () => {
        const store = required(backupStore, advice);
        const problem = loss();
        if (problem !== null) throw new RecollectError(problem.code, problem.message);
        const backup = await store.create('manual', { signal });
        await store.saveFailure(null);
        return toBackup(backup);
      }),
    runDue: ({ signal } = {}) =>
      inTurn(async () => {
        if (backupStore === null || !backupStore.isAutomatic || loss() !== null) return null;
        const store = backupStore;
        const backups = await readable(store);
        const now = clock.now();
        if (nextBackupAt(backups, await store.failure(), now.getTime()) > now.getTime()) return null;
        const kind = kindOfDue(backups, now);
        const newest = madeBy(now.getTime(), backups).find(({ isVerified }) => isVerified);
        // A daily backup is always made: keys, sessions and plugins are not in the change sequence.
        if (kind === 'hourly' && newest?.sequence === (await changes.latest(null))) return null;
        const backup = await createDue(store, kind, signal);
        const gone = superfluous([backup, ...backups], clock.now());
        for (const former of gone) if (former !== backup) await store.remove(former);
        return toBackup(backup);
      }),
    async previewRestore(name, signal) {
      const { restorer, backup } = await find(name);
      return { name, ...(await restorer.preview(backup, signal)) };
    },
    async restore(name, signal) {
      const { restorer, backup } = await find(name);
      await restorer.restore(backup, signal);
    },
  };
}

/** None if the folder cannot be read: then the next backup fails, which is reported. */
function readable(store: BackupStore): Promise<StoredBackup[]> {
  return store.list().catch(() => []);
}

function required(store: BackupStore | null, advice: string | null): BackupStore {
  if (store !== null) return store;
  throw new RecollectError('NOT_FOUND', advice ?? 'Recollect makes no backups of this store: it is in memory.');
}

function toBackup({ sequence: _, ...backup }: StoredBackup): Backup {
  return backup;
}

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
