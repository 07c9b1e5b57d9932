import { limits } from '@recollect/contract/limits';
import type { EmbeddingModel } from '../ports/index.js';

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
