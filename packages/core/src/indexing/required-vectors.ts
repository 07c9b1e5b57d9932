import type { EmbeddingModel, EmbeddingNeeds } from '../ports/index.js';

/** The requirements for chunks to count as embedded by a model. */
export function requiredVectors(model: EmbeddingModel | null): EmbeddingNeeds {
  return { withPassages: model?.late !== undefined };
}
