import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { isAbsolute, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { MemoryDetail } from '@recollect/contract';
import { type ShippedModel, shippedModels } from '@recollect/contract/vocabulary';
import {
  type ArticleExtractor,
  type CopyStore,
  type Core,
  createCore,
  describeBackup,
  describeProblem,
  type EmbeddingModel,
  type FindNewestBackup,
  LOCAL_USER,
  RecollectError,
  type Reranker,
  type StoreDoctor,
  systemClock,
} from '@recollect/core';
import {
  changedFiles,
  type LocalModel,
  type LocalModelOptions,
  openHttpModel,
  openLocalModel,
  openLocalReranker,
  readModelFolder,
} from '@recollect/embeddings';
import { openArticleExtractor } from '@recollect/extraction';
import { createExportReader } from '@recollect/importers/export-reader';
import { minilm } from '@recollect/models/minilm';
import { multilingual } from '@recollect/models/multilingual';
import { reranker as marco } from '@recollect/models/reranker';
import { type LocalPluginHost, openPluginHost } from '@recollect/plugin-runtime/host';
import {
  type Comparison,
  openDoctor,
  openReplacement,
  openSalvage,
  openStorage,
  type Refusal,
  type Salvage,
  type Storage,
  StoreRefusedError,
} from '@recollect/storage';
import {
  type Backups,
  listBackups,
  lookAtFile,
  openBackups,
  readReport,
  stageBackup,
} from '@recollect/storage/backups';
import pLimit from 'p-limit';
import { type Configuration, ConfigurationError } from './config.js';
import { createEnglishWords } from './english-words.js';
import { type LanguagesOfModels, openCatalogue, recordModel } from './model-catalogue.js';
import { modelForLanguage, readModelChoice, shippedModelName, writeModelChoice } from './model-choice.js';
import { readPassphraseFile, readPreviousPassphrase } from './passphrase-file.js';

/** The assembled program. */
export interface Recollect {
  core: Core;
  /** Null when none is configured. */
  embeddingModel: EmbeddingModel | null;
  articleExtractor: ArticleExtractor;
  storage: Storage;
  pluginHost: LocalPluginHost;
  /** Null for a store in memory. */
  backups: Backups | null;
  /** Throws if the store cannot be read or accepts no changes, and says what to do. */
  check(): Promise<void>;
  /**
   * Loads the model in advance, so that the first text does not wait for it, and `withPrevious` those that searches use
   * until a change of the model is done. Throws if one does not load.
   */
  warmUp(options?: { withPrevious?: boolean }): Promise<void>;
  close(): Promise<void>;
}

/** Opens what reads pages and PDFs, for a program without a store. */
export function openExtractor(): ArticleExtractor {
  return openArticleExtractor();
}

/** How a program uses the store. */
export type Use =
  /** Answers many requests at the same time. */
  | 'service'
  /** Answers the requests of one assistant. They are rare, so the model is in memory only after they need it. */
  | 'assistant'
  /** Does one thing and ends: threads would delay its start. */
  | 'command'
  /** Reads or writes everything once: pages that were read are not read again. */
  | 'transfer';

const CONNECTIONS: Readonly<Record<Use, { readers?: number; cacheMb?: number }>> = {
  service: {},
  assistant: {},
  command: { readers: 0 },
  transfer: { readers: 1, cacheMb: 8 },
};

/**
 * Milliseconds without need after which the memory of a model is freed: an assistant's model, and the model of careful
 * search.
 */
const RELEASED_AFTER = 10 * 60_000;

/**
 * Assembles the program; the only place that names the adapters. Call `close` when done.
 *
 * @param onModelChosen called when another model was chosen, which takes effect when the program is assembled again
 */
export async function openRecollect(
  configuration: Configuration,
  use: Use,
  { onModelChosen = () => {} }: { onModelChosen?: () => void } = {},
): Promise<Recollect> {
  const { dataFolder, databaseUrl, historyDays, plugins, backups: settings } = configuration;
  // The model comes first: it opens nothing yet, so a rejected configuration leaves nothing open.
  const embeddingModel = await resolveEmbeddingModel(configuration, use);
  const previousModels = resolvePreviousModels(configuration);
  const reranker = resolveReranker(configuration);
  const backupsOf = (copy: CopyStore) => openBackups({ ...backupOptions(settings, dataFolder), copy });
  const newestBackup = newestBackupIn(settings.folder);
  const storage = await openStorage({
    url: databaseUrl,
    allowsNetwork: configuration.allowsNetworkStore,
    ...CONNECTIONS[use],
    vectorMemoryMb: use === 'service' || use === 'assistant' ? configuration.vectorMemoryMb : 0,
    onNotice: announce,
    async mayCreate() {
      if (await wasBackedUp(configuration, newestBackup)) return false;
      // Before the store is there: a process that starts meanwhile has to find the choice beside it.
      const notice = await recordModel(configuration, LANGUAGES);
      if (notice !== null) announce(notice);
      return true;
    },
    beforeMigration: async (copy) => {
      // 100,000 chunks take about 20 s.
      announce(
        'This version changes the layout of the store. It makes a backup first. A large store can take a minute.',
      );
      await backupsOf(copy).create('migration').catch(refuseMigration);
    },
  }).catch((error) => refuse(error, dataFolder, newestBackup));
  const backups = storage.copy === null ? null : backupsOf(storage.copy);
  const articleExtractor = openArticleExtractor();
  const pluginHost = openPluginHost({
    folder: join(dataFolder, 'plugins'),
    shipped: async () => (await import('@recollect/plugins')).shippedPlugins,
    limits: plugins,
  });
  return {
    core: createCore({
      ...storage,
      embeddingModel,
      previousModels,
      modelCatalogue: openCatalogue(configuration, LANGUAGES, onModelChosen),
      reranker,
      dictionary: createEnglishWords(),
      articleExtractor,
      exportReader: createExportReader(),
      // Dates stay texts. Loaded for the first Markdown file.
      readYaml: async (text) => (await import('./sources/read-yaml.js')).readYaml(text),
      pluginHost,
      backupStore: backups,
      historyDays,
      newestBackup,
      // One processor is left to the event loop, which answers everything else.
      queryLimits: { inTurn: pLimit(Math.max(1, availableParallelism() - 1)), slowly: pLimit(1) },
    }),
    embeddingModel,
    articleExtractor,
    storage,
    pluginHost,
    backups,
    async check() {
      const problem = storage.inspector.problem();
      if (problem?.code !== 'STORE_DAMAGED') return storage.check();
      throw new RecollectError(problem.code, (await describeProblem(problem, newestBackup)).message);
    },
    async warmUp({ withPrevious = false } = {}) {
      // Searches by word do not wait for either.
      if (embeddingModel !== null) void storage.vectorIndex.warmUp?.(embeddingModel.id).catch(() => {});
      const models = [embeddingModel, ...(withPrevious ? previousModels : [])];
      await Promise.all(models.map((model) => model?.warmUp?.()));
    },
    async close() {
      const models = [embeddingModel, ...previousModels, reranker].map((model) => model?.close());
      const ended = await Promise.allSettled([...models, articleExtractor.close(), pluginHost.close()]);
      // Close the store even if the others failed to close: its threads would keep the process alive.
      await storage.close();
      for (const outcome of ended) if (outcome.status === 'rejected') throw outcome.reason;
    },
  };
}

const announce = (notice: string) => void process.stderr.write(`${notice}\n`);

function backupOptions({ folder, isAutomatic, passphraseFile }: Configuration['backups'], dataFolder: string) {
  const readPassphrase = passphraseFile === null ? null : () => readPassphraseFile(passphraseFile);
  return { folder, dataFolder, isAutomatic, readPassphrase, clock: systemClock };
}

/** Finds the newest backup in a folder that passed its check. */
function newestBackupIn(folder: string): FindNewestBackup {
  return async () => (await listBackups(folder, systemClock.now())).find(({ isVerified }) => isVerified) ?? null;
}

/** Whether the folder of a store has backups of it. A folder from the settings may have backups of another store. */
async function wasBackedUp(
  { dataFolder, backups }: Pick<Configuration, 'dataFolder' | 'backups'>,
  newestBackup: FindNewestBackup,
): Promise<boolean> {
  if (!isInside(backups.folder, dataFolder)) return false;
  return (await newestBackup().catch(() => null)) !== null;
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '' && !way.startsWith('..') && !isAbsolute(way);
}

/** The store is migrated only if there is a backup of it. */
function refuseMigration(error: unknown): never {
  const reason = error instanceof RecollectError ? error.message : 'The backup failed for an unexpected reason.';
  throw new RecollectError(
    'BACKUP_FAILED',
    `This version changes the layout of the store, and first makes a backup. That failed, so nothing was changed. ${reason} RECOLLECT_BACKUP_DIR sets the folder of the backups.`,
    { cause: error },
  );
}

/** What a restore needs. It opens no store, which may be damaged or missing. */
export type { Comparison };

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
    open: (options) => openReplacement(databaseUrl, options),
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
  try {
    return await openSalvage(databaseUrl, folder);
  } catch (error) {
    throw explain(error, dataFolder);
  }
}

/** Opens an empty store in memory with the model of a configuration, to test search with it. */
export async function openTrial(
  configuration: Pick<Configuration, 'embeddings' | 'passageVectors'>,
): Promise<Pick<Recollect, 'core' | 'close'>> {
  const embeddingModel = await resolveEmbeddingModel(configuration, 'transfer');
  const storage = await openStorage({ url: 'sqlite::memory:', readers: 0 });
  return {
    core: createCore({ ...storage, embeddingModel }),
    async close() {
      await embeddingModel?.close?.();
      await storage.close();
    },
  };
}

const SHIPPED: Readonly<Record<ShippedModel, Pick<LocalModelOptions, 'id' | 'folder' | 'recipe'>>> = {
  english: minilm,
  multilingual,
};

const LANGUAGES: LanguagesOfModels = { english: minilm.languages, multilingual: multilingual.languages };

async function resolveEmbeddingModel(
  { embeddings, passageVectors }: Pick<Configuration, 'embeddings' | 'passageVectors'>,
  use: Use,
): Promise<(EmbeddingModel & Partial<LocalModel>) | null> {
  const options = { givesTokens: passageVectors, releasedAfter: use === 'assistant' ? RELEASED_AFTER : undefined };
  switch (embeddings.kind) {
    case 'off':
      return null;
    case 'shipped':
      return openLocalModel({ ...SHIPPED[embeddings.model], ...options });
    case 'http':
      return openHttpModel(embeddings);
    case 'folder':
      try {
        return openLocalModel({ ...(await readModelFolder(embeddings.folder)), ...options });
      } catch (error) {
        const message = `${(error as Error).message} The models that ship are ${shippedModels.join(' and ')}.`;
        if (embeddings.namedBy !== undefined) throw new ConfigurationError(`${embeddings.namedBy}: ${message}`);
        throw new ConfigurationError(
          `The model that was chosen cannot be used: ${message} Choose another: recollect model use english --force.`,
        );
      }
  }
}

/** Why the model of a configuration cannot be used; null if it can be, or if there is none. A service is not asked. */
export async function checkModel(configuration: Configuration): Promise<string | null> {
  const { embeddings } = configuration;
  try {
    await (await resolveEmbeddingModel(configuration, 'transfer'))?.close?.();
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message;
    throw error;
  }
  if (embeddings.kind !== 'shipped') return null;
  const changed = await changedFiles(SHIPPED[embeddings.model].folder);
  if (changed.length === 0) return null;
  return `The files of ${shippedModelName(embeddings.model)} are not as they were shipped: ${changed.join(', ')}. Install Recollect again.`;
}

/** Another model that ships may have embedded the store before. It is loaded when a query needs it. */
function resolvePreviousModels({ embeddings, passageVectors }: Configuration): readonly LocalModel[] {
  if (embeddings.kind === 'off') return [];
  const present = embeddings.kind === 'shipped' ? embeddings.model : null;
  return shippedModels
    .filter((name) => name !== present)
    .map((name) => openLocalModel({ ...SHIPPED[name], givesTokens: passageVectors, releasedAfter: RELEASED_AFTER }));
}

/** It is loaded for the first careful search. Without embeddings, no model is wanted. */
function resolveReranker({ careful, embeddings }: Configuration): Reranker | null {
  return careful && embeddings.kind !== 'off' ? openLocalReranker({ ...marco, releasedAfter: RELEASED_AFTER }) : null;
}

/** Advice for each reason why the store did not open. */
const ADVICE: Readonly<Record<Refusal, (dataFolder: string, file: string) => string>> = {
  'too-new': () => 'Nothing was changed. Update Recollect.',
  foreign: (folder) =>
    `Nothing was changed. Set RECOLLECT_DATA_DIR to a folder other than ${folder}, or move that file elsewhere.`,
  'not-a-database': (folder) =>
    `It was not changed. Run recollect doctor, and restore a backup with recollect restore. Keep recollect.db and the files next to it in ${folder}, which may contain memories. To start with an empty store, set RECOLLECT_DATA_DIR to another folder.`,
  missing: () => 'Save something first, for example with recollect capture.',
  damaged: () =>
    'It was not changed. Restore a backup with recollect restore. recollect doctor --salvage DIR saves what can still be read.',
  incomplete: (folder) =>
    `Nothing in ${folder} was changed. Restore recollect.db from your system's trash, or run recollect restore, and start again. To start with an empty store, first move recollect.db-wal to a safe place: it may be all that is left of your memories.`,
  lost: (folder) =>
    `Nothing in ${folder} was changed. Restore the newest backup with recollect restore, or recollect.db from your system's trash. To start with an empty store, first move the folder backups to a safe place.`,
  network: (folder) =>
    `Nothing in ${folder} was changed. Set RECOLLECT_DATA_DIR to a folder on a disk of this machine. To use it there anyway, from one machine at a time, set RECOLLECT_ALLOW_NETWORK_STORE=1.`,
  'open-folder': (folder) =>
    `Nothing was changed. Run chmod go-w ${folder}, or set RECOLLECT_DATA_DIR to another folder.`,
  'read-only': (_, file) =>
    `Nothing was changed. Run ${process.platform === 'win32' ? 'attrib -r' : 'chmod u+rw'} ${file}`,
  'not-owned': (_, file) =>
    `Nothing was changed. Run sudo chown "$(id -un)" ${file}, or use the account that owns the store.`,
  'too-many-files': () => 'Raise the limit, for example with ulimit -n 1024, then start again.',
};

/** Refusals that a different configuration would not fix. */
const NOT_CONFIGURATION: readonly Refusal[] = ['not-a-database', 'damaged', 'too-many-files'];

function isDamaged(error: unknown): boolean {
  return error instanceof StoreRefusedError && (error.refusal === 'damaged' || error.refusal === 'not-a-database');
}

/** Error codes of the system for a folder or file that cannot be used. */
const SYSTEM_ERRORS = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EISDIR', 'ENOENT', 'EEXIST', 'ELOOP', 'ENAMETOOLONG'];

/** Throws why the store did not open; for one that is damaged or lost, with the newest backup. */
async function refuse(error: unknown, dataFolder: string, newestBackup: FindNewestBackup): Promise<never> {
  const explained = explain(error, dataFolder);
  if (error instanceof StoreRefusedError && error.refusal === 'lost')
    throw new ConfigurationError(`${(explained as Error).message} ${await describeBackup(newestBackup)}`);
  if (!isDamaged(error)) throw explained;
  throw new RecollectError('UNAVAILABLE', `${(explained as Error).message} ${await describeBackup(newestBackup)}`);
}

/** Explains why the store did not open, and what to do. */
function explain(error: unknown, dataFolder: string): unknown {
  if (error instanceof StoreRefusedError) {
    const sentence = `${error.message} ${ADVICE[error.refusal](dataFolder, error.file ?? dataFolder)}`;
    return NOT_CONFIGURATION.includes(error.refusal)
      ? new RecollectError('UNAVAILABLE', sentence)
      : new ConfigurationError(sentence);
  }
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall === undefined && !SYSTEM_ERRORS.includes(code ?? '')) return error;
  return new ConfigurationError(
    `The folder ${dataFolder} cannot be used. Set RECOLLECT_DATA_DIR to a folder that you can write to.`,
  );
}
