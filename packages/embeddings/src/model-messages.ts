import type { EmbeddingPurpose } from '@recollect/core';
import type { ModelRecipe } from './model-recipe.js';

/** What a model's thread is started with. */
export interface ModelThreadOptions {
  folder: string;
  recipe: Pick<ModelRecipe, 'prefixes' | 'pooling' | 'isNormalised'>;
  /** Whether replies have token vectors. */
  givesTokens: boolean;
  isBackground: boolean;
}

export interface EmbedRequest {
  id: number;
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

export type EmbedReply = { id: number; embedded: Embedded } | { id: number; error: string };
