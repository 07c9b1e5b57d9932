import { estimateTokens } from '#core/chunking/estimate-tokens.js';
import type { EmbeddingModel } from '#core/ports/index.js';
import { toTerms } from '#core/text/normalise-text.js';

export interface FakeModel extends EmbeddingModel {
  /** Every text that was embedded, in order. */
  readonly embedded: string[];
  /** Replaces the next calls; null restores the normal behaviour. */
  failure: (() => Promise<never>) | null;
}

const DIMENSIONS = 64;

/**
 * A model without weights: a text's vector counts its words in hashed buckets, so texts that share words are close to
 * each other. The same text always gives the same vector.
 *
 * @example
 * const model = createFakeModel();
 * model.failure = () => Promise.reject(new Error('down')); // every call fails until this is null
 */
export function createFakeModel(id = 'fake'): FakeModel {
  const model: FakeModel = {
    id,
    profile: {
      dimensions: DIMENSIONS,
      maxTokens: 256,
      countTokens: estimateTokens,
      prefixes: { query: '', document: '' },
      pooling: 'mean',
      isNormalised: true,
      scripts: null,
      similarityFloor: 0,
      fusionWeight: 0.45,
    },
    embedded: [],
    failure: null,
    async embed(texts) {
      if (model.failure !== null) return model.failure();
      model.embedded.push(...texts);
      return texts.map(toVector);
    },
    async close() {},
  };
  return model;
}

function toVector(text: string): Float32Array {
  const vector = new Float32Array(DIMENSIONS).fill(0.01);
  for (const term of toTerms(text)) {
    const bucket = bucketOf(term.join(' '));
    vector[bucket] = (vector[bucket] ?? 0) + 1;
  }
  const length = Math.hypot(...vector);
  return vector.map((component) => component / length);
}

/** FNV-1a. */
function bucketOf(word: string): number {
  let hash = 0x811c9dc5;
  for (const character of word) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return (hash >>> 0) % DIMENSIONS;
}
