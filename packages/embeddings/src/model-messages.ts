import type { EmbeddingPurpose } from '@recollect/core';
import type { ModelRecipe } from './model-recipe.js';

/** What a model's thread is started with. */
export interface ModelThreadOptions {
  folder: string;
  recipe: Pick<ModelRecipe, 'prefixes' | 'pooling' | 'isNormalised'>;
  threads: number;
}

export interface EmbedRequest {
  id: number;
  text: string;
  /** Selects the prefix. */
  purpose: EmbeddingPurpose;
}

export type EmbedReply = { id: number; vector: Float32Array<ArrayBuffer> } | { id: number; error: string };
