import type { EmbeddingPurpose } from '@recollect/core';
import type { ModelRecipe } from './model-recipe.js';
import type { RerankerRecipe } from './reranker-recipe.js';

/** A request of a session to its thread. */
export interface ModelRequest<Input> {
  id: number;
  input: Input;
}

export type ModelReply<Output> = { id: number; output: Output } | { id: number; error: string };

/** The options of the thread of an embedding model. */
export interface ModelThreadOptions {
  folder: string;
  recipe: Pick<ModelRecipe, 'maxTokens' | 'prefixes' | 'pooling' | 'isNormalised'>;
  /** Whether replies have token vectors. */
  givesTokens: boolean;
  isBackground: boolean;
}

export interface TextToEmbed {
  text: string;
  /** Selects the prefix. */
  purpose: EmbeddingPurpose;
}

export interface Embedded {
  vector: Float32Array<ArrayBuffer>;
  /** Of a query: its token vectors. Empty if they are not given. */
  tokens: Float32Array<ArrayBuffer>;
  /** Of a document: the signs of its token vectors. Empty if they are not given. */
  signs: Uint8Array<ArrayBuffer>;
}

/** The options of the thread of a reranker. */
export interface RerankerThreadOptions {
  folder: string;
  recipe: Pick<RerankerRecipe, 'maxTokens'>;
}

export interface Pair {
  query: string;
  passage: string;
}
