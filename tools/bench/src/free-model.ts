import type { EmbeddingModel } from '@recollect/core';
import { createRandom } from './corpus.js';

const DIMENSIONS = 384;
/** Groups of texts that are near each other, as texts of one subject are. */
const GROUPS = 200;

/**
 * A model that costs nothing, so that what stands beside it is measured: a text's vector is made of its characters by
 * chance.
 */
export function createFreeModel(): EmbeddingModel {
  const centres = Array.from({ length: GROUPS }, (_, at) => createDirection(createRandom(at)));
  return {
    id: 'free',
    profile: {
      dimensions: DIMENSIONS,
      maxTokens: 256,
      countTokens: (text) => Math.ceil(text.length / 4),
      prefixes: { query: '', document: '' },
      pooling: 'mean',
      isNormalised: true,
      scripts: null,
      similarityFloor: 0.1,
      fusionWeight: 0.5,
    },
    async embed(texts) {
      return texts.map((text) => {
        const random = createRandom(hashOf(text));
        const centre = centres[Math.floor(random() * GROUPS)] as Float32Array;
        const other = createDirection(random);
        return toUnit(centre.map((component, at) => component + 0.75 * (other[at] ?? 0)));
      });
    },
    async close() {},
  };
}

function createDirection(random: () => number): Float32Array {
  return toUnit(Float32Array.from({ length: DIMENSIONS }, () => random() - 0.5));
}

function toUnit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return vector.map((component) => component / length);
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
