import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { MemoryDetail } from '@recollect/contract';
import { shippedModels } from '@recollect/contract/vocabulary';
import {
  createCore,
  type FindNewestBackup,
  LOCAL_USER,
  RecollectError,
  type StoreDoctor,
  systemClock,
} from '@recollect/core';
import {
  type Comparison,
  openDoctor,
  openReplacement,
  openSalvage,
  openStorage,
  type Salvage,
  StoreRefusedError,
} from '@recollect/storage';
import { listBackups, lookAtFile, readReport, stageBackup } from '@recollect/storage/backups';
import type { Configuration } from '../config.js';
import { modelForLanguage, readModelChoice, writeModelChoice } from '../model-choice.js';
import { readPreviousPassphrase } from '../passphrase-file.js';
import { SHIPPED } from './models.js';
import { newestBackupIn, wasBackedUp } from './newest-backup.js';
import { leaveToOperator } from './operator-tasks.js';
import { explain, refuse } from './refusals.js';

export type { Comparison };

/** The adapters of a restore. It opens no store, which may be damaged or missing. */
export interface Restorer {
  list: () => ReturnType<typeof listBackups>;
  lookAtFile: typeof lookAtFile;
  readReport: typeof readReport;
  stageBackup: typeof stageBackup;
  /**
   * Chooses, by its id, the model that embedded the restored data, or else the model of a new store. Does nothing if a
   * model has been chosen, or does not ship.
   */
  keepModel(id: string | null): Promise<void>;
  /** Needs the store for itself, unless it `onlyCompares`. */
  open(options: { onlyCompares: boolean }): ReturnType<typeof openReplacement>;
  /**
   * A memory of the local user as a backup has it. Null if it does not have it, or not undamaged, or cannot be read.
   */
  readMemory(
    path: string,
    id: string,
    options: { passphrase: string | null; signal: AbortSignal },
  ): Promise<MemoryDetail | 'wrong-passphrase' | null>;
}

/** Assembles what a restore needs. */
export function openRestorer({ dataFolder, databaseUrl, backups, language }: Configuration): Restorer {
  const { passphraseFile } = backups;
  const stage: typeof stageBackup = async (source, target, options) => {
    const staged = await stageBackup(source, target, options);
    if (staged !== 'wrong-passphrase' || passphraseFile === null) return staged;
    const passphrase = await readPreviousPassphrase(passphraseFile);
    if (passphrase === options.passphrase) return staged;
    await rm(target, { force: true });
    return stageBackup(source, target, { ...options, passphrase });
  };
  return {
    list: () => listBackups(backups.folder, systemClock.now()),
    lookAtFile,
    readReport,
    stageBackup: stage,
    async keepModel(id) {
      const model = id === null ? modelForLanguage(language) : shippedModels.find((name) => SHIPPED[name].id === id);
      if (model !== undefined && readModelChoice(dataFolder) === null) await writeModelChoice(dataFolder, { model });
    },
    async open(options) {
      leaveToOperator(databaseUrl, 'restore');
      return openReplacement(databaseUrl, options);
    },
    async readMemory(path, id, options) {
      // A copy, since opening a store of an earlier version changes it.
      const folder = await mkdtemp(join(dataFolder, 'recollect.db-reading-'));
      try {
        const copy = join(folder, 'backup.db');
        const staged = await stage(path, copy, options);
        if (staged !== 'done') return staged === 'wrong-passphrase' ? staged : null;
        const storage = await openStorage({ url: pathToFileURL(copy).href, readers: 0 });
        try {
          const memory = await createCore(storage).memories.get(LOCAL_USER, id);
          return memory.damaged ? null : memory;
        } finally {
          await storage.close();
        }
      } catch (error) {
        if (error instanceof RecollectError || error instanceof StoreRefusedError) return null;
        throw error;
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

/** Opens the store for `recollect doctor`, without the rest of the program: the store may be damaged. */
export async function openStoreDoctor({
  dataFolder,
  databaseUrl,
  allowsNetworkStore,
  backups,
}: Configuration): Promise<{
  doctor: StoreDoctor;
  newestBackup: FindNewestBackup;
  close(): Promise<void>;
}> {
  leaveToOperator(databaseUrl, 'doctor');
  const newestBackup = newestBackupIn(backups.folder);
  const doctor = await openDoctor(databaseUrl, { allowsNetwork: allowsNetworkStore }).catch(async (error) => {
    const isLost =
      error instanceof StoreRefusedError &&
      error.refusal === 'missing' &&
      (await wasBackedUp({ dataFolder, backups }, newestBackup));
    return refuse(isLost ? new StoreRefusedError('lost') : error, dataFolder, newestBackup);
  });
  return { doctor, newestBackup, close: () => doctor.close() };
}

/** Reads what can still be read of a damaged store, from a copy in a folder. */
export async function salvageStore({ dataFolder, databaseUrl }: Configuration, folder: string): Promise<Salvage> {
  leaveToOperator(databaseUrl, 'salvage');
  try {
    return await openSalvage(databaseUrl, folder);
  } catch (error) {
    throw explain(error, dataFolder);
  }
}
