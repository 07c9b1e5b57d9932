import { join } from 'node:path';
import type { ModelProfile } from '@recollect/core';

/** A local model's profile as data: everything but the tokenizer, which is in the model's folder. */
export type ModelRecipe = Omit<ModelProfile, 'countTokens' | 'pooling'> & {
  readonly pooling: 'mean' | 'cls';
  /** The weight of late interaction when candidates are ranked again, as measured for this model; 0 for none. */
  readonly lateWeight: number;
};

/**
 * The settings that change the vectors of the same weights, as one text. Measured figures such as the fusion weight do
 * not.
 */
export function vectorRecipe({ prefixes, pooling, isNormalised }: ModelRecipe): string {
  return JSON.stringify({ query: prefixes.query, document: prefixes.document, pooling, isNormalised });
}

/** A local reranker as data: everything but its tokenizer, which is in its folder. */
export interface RerankerRecipe {
  /** The most tokens that it reads of a query and a passage together, with special tokens; it ignores the rest. */
  readonly maxTokens: number;
  /** The scripts that it reads, by their Unicode names, such as `Latin`; null for all. */
  readonly scripts: readonly string[] | null;
}

/** The weights in the folder of a model. Where transformers.js looks for them, since models are published that way. */
export const WEIGHTS = join('onnx', 'model_quantized.onnx');
