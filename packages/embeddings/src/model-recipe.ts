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
