import { limits } from '@recollect/contract/limits';
import type { CorePorts } from '../ports/core-ports.js';
import type { EmbeddingModel } from '../ports/index.js';

/** The model that a user's searches use; null without a model. */
export type ChooseModel = (userId: string) => Promise<EmbeddingModel | null>;

/** Milliseconds for which a choice holds while a backfill runs. */
const CHOICE_MS = 1_000;

/**
 * Makes the choice of the model that searches use (IDX-4): the present one or, until it has embedded everything, a
 * former one that is still available and has embedded more of the memories. A search uses one model, so that vectors of
 * two are never compared.
 */
export function createModelChoice({
  memories,
  embeddingModel,
  previousModels = [],
}: Pick<CorePorts, 'memories' | 'embeddingModel'> & Partial<Pick<CorePorts, 'previousModels'>>): ChooseModel {
  const candidates = previousModels.filter(({ id }) => id !== embeddingModel?.id);
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
    for (const candidate of candidates) {
      const covered = (await memories.countEmbedded(userId, candidate.id)).withEmbeddings;
      if (covered > most) [best, most] = [candidate, covered];
    }
    return best;
  };

  return async (userId) => {
    if (embeddingModel === null || candidates.length === 0 || settled.has(userId)) return embeddingModel;
    const choice = choices.get(userId);
    if (choice !== undefined && performance.now() < choice.until) return choice.model;
    const model = await choose(userId, embeddingModel);
    if (settled.has(userId)) choices.delete(userId);
    else choices.set(userId, { model, until: performance.now() + CHOICE_MS });
    return model;
  };
}

/**
 * Whether a model reads a text: whether at least half of its letters are of scripts that it was trained on. Vectors of
 * others are noise, and search by them makes full text worse. No model reads a text without letters and digits, such as
 * an emoji.
 *
 * @param scripts Unicode names; null for all
 * @example
 * canRead(['Latin'], '東京タワー'); // false
 * canRead(['Latin'], 'Tokyo 東京'); // true
 */
export function canRead(scripts: readonly string[] | null, text: string): boolean {
  if (!/[\p{L}\p{N}]/u.test(text)) return false;
  if (scripts === null) return true;
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const pattern = new RegExp(`[${scripts.map((script) => `\\p{Script=${script}}`).join('')}]`, 'gu');
  return 2 * (text.match(pattern)?.length ?? 0) >= letters;
}

export interface EmbeddedQuery {
  vector: Float32Array;
  /** Null for a model without token vectors. */
  tokens: Float32Array | null;
}

/** Embeds the query. Null when the model fails or is too slow (QRY-4). */
export async function embedQuery(
  model: EmbeddingModel,
  text: string,
  ended: AbortSignal | undefined,
): Promise<EmbeddedQuery | null> {
  const timeLimit = AbortSignal.timeout(limits.query.embeddingMs);
  const signal = ended === undefined ? timeLimit : AbortSignal.any([timeLimit, ended]);
  const timedOut = new Promise<null>((resolve) =>
    signal.addEventListener('abort', () => resolve(null), { once: true }),
  );
  const embed = async (): Promise<EmbeddedQuery | null> => {
    if (model.late !== undefined) return model.late.embedQuery(text, { signal });
    const [vector] = await model.embed([text], { purpose: 'query', signal });
    return vector === undefined ? null : { vector, tokens: null };
  };
  try {
    return await Promise.race([embed(), timedOut]);
  } catch {
    return null;
  }
}
