import type { Stats } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { BackupFailure, BackupKind } from '@recollect/contract';
import { type BackupStore, type Clock, type CopyStore, RecollectError, type StoredBackup } from '@recollect/core';
import { listBackups, prepareFolder, removeBackup } from './backup-folder.js';
import { formatName, type NamedBackup, removePartialFiles } from './partial-files.js';

import { readReport, writeReport } from './report-file.js';
import { explain, writeBackup } from './write-backup.js';

export interface BackupsOptions {
  /** Where the backups are. It is created with the first one. */
  folder: string;
  /** The folder of the store. */
  dataFolder: string;
  copy: CopyStore;
  /** Reads the passphrase with which backups are encrypted. Null: they are not. */
  readPassphrase: (() => Promise<string>) | null;
  isAutomatic: boolean;
  clock: Clock;
}

export interface CreateOptions {
  signal?: AbortSignal | undefined;
  /** Encrypts this backup with another passphrase. */
  passphrase?: string | undefined;
  /** A file or folder, instead of the folder of the backups. No report is written beside it. */
  out?: string | undefined;
  /** Replaces a file that has the name of `out`. */
  replaces?: boolean | undefined;
}

/** The backups of one store, in a folder. */
export interface Backups extends BackupStore {
  create(kind: BackupKind, options?: CreateOptions): Promise<StoredBackup>;
}

/**
 * Opens the backups of a store. Nothing is created before the first backup.
 *
 * @example
 * const settings = { folder: 'backups', dataFolder: '.', readPassphrase: null, isAutomatic: true };
 * const backups = openBackups({ ...settings, copy, clock: systemClock });
 * const { path, sha256 } = await backups.create('manual');
 */
export function openBackups(options: BackupsOptions): Backups {
  const { folder, dataFolder, copy, readPassphrase, isAutomatic, clock } = options;
  const failures = createFailureFile(join(dataFolder, 'recollect.db-backup-failure.json'));

  const findTarget = async (named: NamedBackup, { out, replaces = false }: CreateOptions): Promise<string> => {
    if (out !== undefined) return resolveTarget(out, named, { replaces, dataFolder });
    await prepareFolder(folder, dataFolder);
    return freePath(folder, named);
  };

  return {
    folder,
    isAutomatic,
    list: () => listBackups(folder, clock.now()),
    async create(kind, options = {}) {
      const { signal, passphrase: given, out, replaces } = options;
      try {
        const passphrase = given ?? (await readPassphrase?.()) ?? null;
        const at = `${clock.now().toISOString().slice(0, 'yyyy-mm-ddThh:mm:ss'.length)}.000Z`;
        const named: NamedBackup = { kind, at, isEncrypted: passphrase !== null };
        const target = await findTarget(named, options);
        await removePartialFiles(dirname(target), out === undefined ? 'recollect-' : `${basename(target)}.`);
        await removePartialFiles(dataFolder, 'recollect.db-backup-');
        const { path, ...made } = await writeBackup({
          copy,
          target,
          findTarget: out === undefined ? () => freePath(folder, named) : undefined,
          dataFolder,
          passphrase,
          replaces,
          signal,
        });
        // A backup that was replaced may have had a report.
        if (out === undefined || (await readReport(path)) !== null) {
          await writeReport(path, made).catch(async (error) => {
            // Without a report, the backup is not known to be good, and retention would keep it for ever.
            await rm(path, { force: true }).catch(() => {});
            throw error;
          });
        }
        return { path, ...named, ...made, isVerified: true };
      } catch (error) {
        throw explain(error, out ?? folder);
      }
    },
    remove: removeBackup,
    failure: failures.read,
    saveFailure: failures.write,
  };
}

/**
 * Remembers the last failure in a file, so that every process can show it. If the file cannot be written, as on a full
 * disk, this process still knows.
 */
function createFailureFile(path: string) {
  let lastFailure: BackupFailure | null | undefined;
  return {
    async read(): Promise<BackupFailure | null> {
      if (lastFailure !== undefined) return lastFailure;
      try {
        const { at, since = at, message, attempts } = JSON.parse(await readFile(path, 'utf8')) as BackupFailure;
        const count = Math.max(1, Math.trunc(Number(attempts)) || 1);
        return { at: String(at), since: String(since), message: String(message), attempts: count };
      } catch {
        return null;
      }
    },
    async write(failure: BackupFailure | null): Promise<void> {
      lastFailure = failure;
      try {
        if (failure === null) return await rm(path, { force: true });
        const partial = `${path}.${process.pid}.partial`;
        await writeFile(partial, JSON.stringify(failure), { mode: 0o600 });
        await rename(partial, path);
        lastFailure = undefined;
      } catch {
        // `lastFailure` is shown until this process ends.
      }
    },
  };
}

/**
 * The path of a backup for a file or folder that the user has named. A folder is one that exists, or a name that ends
 * in a slash. Throws BACKUP_FAILED if its folder does not exist, or if the file exists and is not to be replaced. A
 * file of the store is never replaced.
 */
async function resolveTarget(
  given: string,
  named: NamedBackup,
  { replaces, dataFolder }: { replaces: boolean; dataFolder: string },
): Promise<string> {
  const path = resolve(given);
  const facts = await stat(path).catch(() => null);
  const isFolder = facts?.isDirectory() || (facts === null && /[\\/]$/.test(given));
  if (isFolder) {
    await mkdir(path, { recursive: true });
    return freePath(path, named);
  }
  if (facts !== null) await checkReplaceable(path, facts, { replaces, dataFolder });
  const folder = dirname(path);
  if ((await stat(folder).catch(() => null))?.isDirectory()) return path;
  throw new RecollectError('BACKUP_FAILED', `The folder ${folder} does not exist. Create it, or choose another one.`);
}

/** The beginning of the names of the store and of the files beside it. */
const STORE = 'recollect.db';

/** Throws BACKUP_FAILED unless a file that exists may be replaced. */
async function checkReplaceable(
  path: string,
  facts: Stats,
  { replaces, dataFolder }: { replaces: boolean; dataFolder: string },
): Promise<void> {
  const names = await readdir(dataFolder).catch(() => []);
  for (const name of names.filter((file) => file.startsWith(STORE))) {
    const entryFacts = await stat(join(dataFolder, name)).catch(() => null);
    if (entryFacts?.ino === facts.ino && entryFacts.dev === facts.dev)
      throw new RecollectError(
        'BACKUP_FAILED',
        `${path} belongs to the store. It was not changed. Choose another name.`,
      );
  }
  if (replaces && facts.isFile()) return;
  const way = facts.isFile() ? 'Choose another name, or add --force to replace it.' : 'Choose another name.';
  throw new RecollectError('BACKUP_FAILED', `${path} already exists. It was not changed. ${way}`);
}

/** The path of a new backup in a folder: its name, numbered if another backup of the same second has it. */
async function freePath(folder: string, named: NamedBackup): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const path = join(folder, formatName(named, attempt));
    if ((await stat(path).catch(() => null)) === null) return path;
  }
}
