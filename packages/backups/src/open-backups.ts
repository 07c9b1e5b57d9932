import { rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { BackupKind } from '@recollect/contract';
import type { BackupStore, Clock, CopyStore, StoredBackup } from '@recollect/core';
import { listBackups, prepareFolder, removeBackup } from './backup-folder.js';
import { createFailureFile } from './failure-file.js';
import type { NamedBackup } from './file-name.js';
import { freePath } from './free-path.js';
import { removePartialFiles } from './partial-files.js';
import { readReport, writeReport } from './report-file.js';
import { resolveTarget } from './resolve-target.js';
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
 * const backups = openBackups({ folder, dataFolder, copy, readPassphrase: null, isAutomatic: true, clock });
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
