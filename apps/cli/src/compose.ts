import { join } from 'node:path';
import { type ArticleExtractor, type Core, createCore, type EmbeddingModel, RecollectError } from '@recollect/core';
import { openHttpModel, openLocalModel, readModelFolder } from '@recollect/embeddings';
import { openArticleExtractor } from '@recollect/extraction';
import { minilm } from '@recollect/model-minilm';
import { openPluginHost } from '@recollect/plugin-runtime/host';
import { openStorage, type Storage, StoreTooNewError, StoreUnreadableError } from '@recollect/storage';
import { type Configuration, ConfigurationError, type EmbeddingsConfiguration } from './config.js';

/** Everything of the program, put together. */
export interface Recollect {
  core: Core;
  /** Null when none is configured. */
  embeddingModel: EmbeddingModel | null;
  articleExtractor: ArticleExtractor;
  storage: Storage;
  /** Loads the model, so that the first text need not wait for it. Throws when it does not load. */
  warmUp(): Promise<void>;
  close(): Promise<void>;
}

/** The one place that names the adapters. Must be closed. */
export async function openRecollect({
  dataFolder,
  databaseUrl,
  embeddings,
  plugins,
}: Configuration): Promise<Recollect> {
  // The model first: it opens nothing yet, so nothing is left open when its configuration is refused.
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
      await Promise.all([embeddingModel?.close(), articleExtractor.close(), pluginHost.close()]);
      await storage.close();
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

/** Why the store did not open, with what to do about it. */
function explain(error: unknown, dataFolder: string): unknown {
  if (error instanceof StoreTooNewError) return new ConfigurationError(error.message);
  if (error instanceof StoreUnreadableError) {
    return new RecollectError(
      'UNAVAILABLE',
      `${error.message} Move recollect.db out of ${dataFolder}, or set RECOLLECT_DATA_DIR to another folder.`,
    );
  }
  if ((error as NodeJS.ErrnoException | null)?.syscall === undefined) return error;
  return new ConfigurationError(
    `The folder ${dataFolder} cannot be used. Set RECOLLECT_DATA_DIR to a folder that you may write to.`,
  );
}
