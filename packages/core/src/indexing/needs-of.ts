import type { EmbeddingModel, EmbeddingNeeds } from '../ports/index.js';

/** What chunks need to count as embedded by a model. */
export function needsOf(model: EmbeddingModel | null): EmbeddingNeeds {
  return { withPassages: model?.late !== undefined };
}
