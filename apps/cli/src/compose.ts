import { join } from 'node:path';
import { type ArticleExtractor, type Core, createCore, type EmbeddingModel, RecollectError } from '@recollect/core';
import { openHttpModel, openLocalModel, readModelFolder } from '@recollect/embeddings';
import { openArticleExtractor } from '@recollect/extraction';
import { minilm } from '@recollect/model-minilm';
import { openPluginHost } from '@recollect/plugin-runtime/host';
import { openStorage, type Refusal, type Storage, StoreRefusedError } from '@recollect/storage';
import { type Configuration, ConfigurationError, type EmbeddingsConfiguration } from './config.js';

/** The assembled program. */
export interface Recollect {
  core: Core;
  /** Null when none is configured. */
  embeddingModel: EmbeddingModel | null;
  articleExtractor: ArticleExtractor;
  storage: Storage;
  /** Loads the model in advance, so that the first text does not wait for it. Throws if it does not load. */
  warmUp(): Promise<void>;
  close(): Promise<void>;
}

/** Assembles the program; the only place that names the adapters. Call `close` when done. */
export async function openRecollect({
  dataFolder,
  databaseUrl,
  embeddings,
  plugins,
}: Configuration): Promise<Recollect> {
  // The model comes first: it opens nothing yet, so a rejected configuration leaves nothing open.
  const embeddingModel = await resolveEmbeddingModel(embeddings);
  const storage = await openStorage({ url: databaseUrl }).catch((error) => {
    throw explain(error, dataFolder);
  });
  const articleExtractor = openArticleExtractor();
  const pluginHost = openPluginHost({
    folder: join(dataFolder, 'plugins'),
    shipped: async () => (await import('@recollect/plugins')).shippedPlugins,
    limits: plugins,
  });
  return {
    core: createCore({ ...storage, embeddingModel, articleExtractor, pluginHost }),
    embeddingModel,
    articleExtractor,
    storage,
    async warmUp() {
      if (embeddings.kind === 'default' || embeddings.kind === 'folder') {
        await embeddingModel?.embed(['warm up'], { purpose: 'query' });
      }
    },
    async close() {
      const ended = await Promise.allSettled([embeddingModel?.close(), articleExtractor.close(), pluginHost.close()]);
      // Close the store even if the others failed to close: its threads would keep the process alive.
      await storage.close();
      for (const outcome of ended) if (outcome.status === 'rejected') throw outcome.reason;
    },
  };
}

async function resolveEmbeddingModel(embeddings: EmbeddingsConfiguration): Promise<EmbeddingModel | null> {
  switch (embeddings.kind) {
    case 'off':
      return null;
    case 'default':
      return openLocalModel(minilm);
    case 'http':
      return openHttpModel(embeddings);
    case 'folder':
      try {
        return openLocalModel(await readModelFolder(embeddings.folder));
      } catch (error) {
        throw new ConfigurationError(`RECOLLECT_MODEL_DIR: ${(error as Error).message}`);
      }
  }
}

/** What to do when the store was not opened. */
const ADVICE: Readonly<Record<Refusal, (dataFolder: string) => string>> = {
  'too-new': () => 'Nothing was changed. Update Recollect.',
  foreign: (folder) =>
    `Nothing was changed. Set RECOLLECT_DATA_DIR to a folder other than ${folder}, or move that file elsewhere.`,
  'not-a-database': (folder) =>
    `It was not changed. Move recollect.db and the files next to it, which may contain memories, from ${folder} to a safe place, or set RECOLLECT_DATA_DIR to another folder.`,
  incomplete: (folder) =>
    `Nothing in ${folder} was changed. Restore recollect.db from your system's trash or from a backup, and start again. To start with an empty store, first move recollect.db-wal to a safe place: it may be all that is left of your memories.`,
  'too-many-files': () => 'Raise the limit, for example with ulimit -n 1024, then start again.',
};

/** Refusals that a different configuration would not fix. */
const NOT_CONFIGURATION: readonly Refusal[] = ['not-a-database', 'too-many-files'];

/** Error codes of the system for a folder or file that cannot be used. */
const SYSTEM_ERRORS = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EISDIR', 'ENOENT', 'EEXIST', 'ELOOP', 'ENAMETOOLONG'];

/** Explains why the store did not open, and what to do. */
function explain(error: unknown, dataFolder: string): unknown {
  if (error instanceof StoreRefusedError) {
    const sentence = `${error.message} ${ADVICE[error.refusal](dataFolder)}`;
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
