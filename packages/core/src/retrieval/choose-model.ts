import type { CorePorts } from '../core-ports.js';
import type { EmbeddingModel } from '../ports/index.js';

/** The model that a user's searches use; null without a model. */
export type ChooseModel = (userId: string) => Promise<EmbeddingModel | null>;

/** Milliseconds for which a choice holds while a backfill runs. */
const HOLDS = 1_000;

/**
 * Makes the choice of the model that searches use (IDX-4): the present one or, until it has embedded everything, a
 * former one that is still available and has embedded more of the memories. A search uses one model, so that vectors of
 * two are never compared.
 */
export function createModelChoice({
  memories,
  embeddingModel,
  formerModels = [],
}: Pick<CorePorts, 'memories' | 'embeddingModel'> & Partial<Pick<CorePorts, 'formerModels'>>): ChooseModel {
  const formers = formerModels.filter(({ id }) => id !== embeddingModel?.id);
  /** Users whose memories the present model has all embedded once. Later memories lack embeddings for seconds. */
  const settled = new Set<string>();
  const choices = new Map<string, { model: EmbeddingModel; until: number }>();

  const choose = async (userId: string, present: EmbeddingModel): Promise<EmbeddingModel> => {
    const { total, withEmbeddings } = await memories.countEmbedded(userId, present.id);
    if (withEmbeddings === total) {
      settled.add(userId);
      return present;
    }
    let [best, most] = [present, withEmbeddings];
    for (const former of formers) {
      const covered = (await memories.countEmbedded(userId, former.id)).withEmbeddings;
      if (covered > most) [best, most] = [former, covered];
    }
    return best;
  };

  return async (userId) => {
    if (embeddingModel === null || formers.length === 0 || settled.has(userId)) return embeddingModel;
    const known = choices.get(userId);
    if (known !== undefined && performance.now() < known.until) return known.model;
    const model = await choose(userId, embeddingModel);
    if (settled.has(userId)) choices.delete(userId);
    else choices.set(userId, { model, until: performance.now() + HOLDS });
    return model;
  };
}
