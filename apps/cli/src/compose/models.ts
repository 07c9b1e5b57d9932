import { type ShippedModel, shippedModels } from '@recollect/contract/vocabulary';
import type { EmbeddingModel, Reranker } from '@recollect/core';
import {
  changedFiles,
  type LocalModel,
  type LocalModelOptions,
  openHttpModel,
  openLocalModel,
  openLocalReranker,
  readModelFolder,
} from '@recollect/embeddings';
import { minilm } from '@recollect/models/minilm';
import { multilingual } from '@recollect/models/multilingual';
import { reranker as marco } from '@recollect/models/reranker';
import { type Configuration, ConfigurationError } from '../config.js';
import type { LanguagesOfModels } from '../model-catalogue.js';
import { shippedModelName } from '../model-choice.js';

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

/**
 * Milliseconds without need after which the memory of a model is freed: an assistant's model, and the model of careful
 * search.
 */
const RELEASED_AFTER = 10 * 60_000;

/** The adapters of the models that ship. */
export const SHIPPED: Readonly<Record<ShippedModel, Pick<LocalModelOptions, 'id' | 'folder' | 'recipe'>>> = {
  english: minilm,
  multilingual,
};

/** The languages of the models that ship. */
export const LANGUAGES: LanguagesOfModels = { english: minilm.languages, multilingual: multilingual.languages };

/** Opens the configured embedding model; null if embeddings are off. Throws if the model cannot be used. */
export async function resolveEmbeddingModel(
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

/** Explains why the configured model cannot be used; null if it can be, or if there is none. A service is not asked. */
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

/** Opens the other models that ship: one may have embedded the store before. It is loaded when a query needs it. */
export function resolvePreviousModels({ embeddings, passageVectors }: Configuration): readonly LocalModel[] {
  if (embeddings.kind === 'off') return [];
  const present = embeddings.kind === 'shipped' ? embeddings.model : null;
  return shippedModels
    .filter((name) => name !== present)
    .map((name) => openLocalModel({ ...SHIPPED[name], givesTokens: passageVectors, releasedAfter: RELEASED_AFTER }));
}

/** Opens the reranker, which is loaded for the first careful search. Without embeddings there is none. */
export function resolveReranker({ careful, embeddings }: Configuration): Reranker | null {
  return careful && embeddings.kind !== 'off' ? openLocalReranker({ ...marco, releasedAfter: RELEASED_AFTER }) : null;
}
