import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import {
  type ArticleExtractor,
  type BackupRestorer,
  type CopyStore,
  type Core,
  createCore,
  describeProblem,
  type EmbeddingModel,
  RecollectError,
  systemClock,
} from '@recollect/core';
import { openArticleExtractor } from '@recollect/extraction';
import { createExportReader } from '@recollect/importers/export-reader';
import { type LocalPluginHost, openPluginHost } from '@recollect/plugin-runtime/host';
import { makeFolder, openStorage, type Storage, storeKindOf } from '@recollect/storage';
import { type Backups, openBackups } from '@recollect/storage/backups';
import pLimit from 'p-limit';
import type { Configuration } from '../config.js';
import { createEnglishWords } from '../english-words.js';
import { openCatalogue, recordModel } from '../model-catalogue.js';
import { readPassphraseFile } from '../passphrase-file.js';
import { LANGUAGES, resolveEmbeddingModel, resolvePreviousModels, resolveReranker, type Use } from './models.js';
import { newestBackupIn, wasBackedUp } from './newest-backup.js';
import { backupAdvice } from './operator-tasks.js';
import { openPageFetcher } from './page-fetcher.js';
import { refuse } from './refusals.js';

/** The assembled program. */
export interface Recollect {
  core: Core;
  /** Null when none is configured. */
  embeddingModel: EmbeddingModel | null;
  articleExtractor: ArticleExtractor;
  storage: Storage;
  pluginHost: LocalPluginHost;
  /** Null for a store in memory, or in a database. */
  backups: Backups | null;
  /** Throws if the store cannot be read or accepts no changes, and says what to do. */
  check(): Promise<void>;
  /** Throws if a store on this machine cannot be used. A database that is away returns without a restart. */
  checkHere(): Promise<void>;
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

const CONNECTIONS: Readonly<Record<Use, { readers?: number; cacheMb?: number }>> = {
  service: {},
  assistant: {},
  command: { readers: 0 },
  transfer: { readers: 1, cacheMb: 8 },
};

/** What only a server offers, because it can start again. */
interface ServerHooks {
  /** Called when another model was chosen, which takes effect when the program is assembled again. */
  onModelChosen?: () => void;
  backupRestorer?: BackupRestorer | null;
}

/**
 * Assembles the program. Call `close` when done.
 *
 * @param hooks what a server does when it has to start again
 */
export async function openRecollect(
  configuration: Configuration,
  use: Use,
  { onModelChosen = () => {}, backupRestorer = null }: ServerHooks = {},
): Promise<Recollect> {
  const { dataFolder, databaseUrl, historyDays, plugins, backups: settings } = configuration;
  // The model comes first: it opens nothing yet, so a rejected configuration leaves nothing open.
  const embeddingModel = await resolveEmbeddingModel(configuration, use);
  const previousModels = resolvePreviousModels(configuration);
  const reranker = resolveReranker(configuration);
  const backupsOf = (copy: CopyStore) => openBackups({ ...backupOptions(settings, dataFolder), copy });
  const newestBackup = newestBackupIn(settings.folder);
  // It holds plugins, models and the address of the server, also beside a database.
  if (storeKindOf(databaseUrl) === 'database')
    await makeFolder(dataFolder).catch((error) => refuse(error, dataFolder, newestBackup));
  const storage = await openStorage({
    url: databaseUrl,
    readUrl: configuration.databaseReadUrl,
    allowsNetwork: configuration.allowsNetworkStore,
    ...CONNECTIONS[use],
    vectorMemoryMb: use === 'service' || use === 'assistant' ? configuration.vectorMemoryMb : 0,
    textMemoryMb: use === 'service' ? configuration.textMemoryMb : 0,
    onNotice: announce,
    async mayCreate() {
      // Backups beside a database are of a store that was moved.
      const isFile = storeKindOf(databaseUrl) === 'file';
      if (isFile && (await wasBackedUp(configuration, newestBackup))) return false;
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
  const check = async () => {
    const problem = storage.inspector.problem();
    if (problem?.code !== 'STORE_DAMAGED') return storage.check();
    throw new RecollectError(problem.code, (await describeProblem(problem, newestBackup)).message);
  };
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
      pageFetcher: openPageFetcher(configuration.fetch),
      // Dates stay texts. Loaded for the first Markdown file.
      readYaml: async (text) => (await import('../sources/read-yaml.js')).readYaml(text),
      pluginHost,
      backupStore: backups,
      backupRestorer,
      backupAdvice: backupAdvice(databaseUrl),
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
    check,
    async checkHere() {
      if (storeKindOf(databaseUrl) !== 'database') await check();
    },
    async warmUp({ withPrevious = false } = {}) {
      // Searches by word do not wait for any of these.
      void storage.textIndex.warmUp?.().catch(() => {});
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

/** The store is migrated only if there is a backup of it. */
function refuseMigration(error: unknown): never {
  const reason = error instanceof RecollectError ? error.message : 'The backup failed for an unexpected reason.';
  throw new RecollectError(
    'BACKUP_FAILED',
    `This version changes the layout of the store, and first makes a backup. That failed, so nothing was changed. ${reason} RECOLLECT_BACKUP_DIR sets the folder of the backups.`,
    { cause: error },
  );
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
