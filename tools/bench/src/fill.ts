import { createCore, LOCAL_USER, type PassageEmbedding } from '@recollect/core';
import { openLocalModel } from '@recollect/embeddings';
import { minilm } from '@recollect/models/minilm';
import { createText } from './corpus.js';
import type { Service } from './open-service.js';

/** Number of texts that are really embedded. All vectors are near one of theirs. */
const CENTRES = 200;

/**
 * Fills a store without the minutes that embedding would take. The texts are indexed as usual. Each vector comes from
 * one of a few real texts, rotated slightly, so that similarities are distributed like real ones; its passage vectors
 * come from the same text.
 */
export async function fill(
  { core, storage }: Service,
  memories: number,
  random: () => number,
  word: () => string,
): Promise<void> {
  const coreWithoutModel = createCore({ ...storage });
  for (let at = 0; at < memories; at += 100) {
    const captures = Array.from({ length: Math.min(100, memories - at) }, (_, index) => ({
      title: createText(word, 5),
      url: `https://a.example/${at + index}`,
      pageText: createText(word, 110),
    }));
    await coreWithoutModel.capture(LOCAL_USER, captures);
  }
  const model = openLocalModel(minilm);
  if (model.late === undefined) throw new Error('The model gives no token vectors.');
  const centres = await model.late.embedPassages(Array.from({ length: CENTRES }, () => createText(word, 110)));
  await model.close();
  for (;;) {
    const chunks = await storage.memories.pendingChunks(LOCAL_USER, minilm.id, 256);
    if (chunks.length === 0) break;
    const embeddings = chunks.map(({ chunkId, title }) => {
      const { vector, signs } = centres[Math.floor(random() * CENTRES)] as PassageEmbedding;
      return { chunkId, title, vector: perturb(vector, random), passage: signs };
    });
    await storage.memories.saveEmbeddings(LOCAL_USER, minilm.id, embeddings);
  }
  const { withoutEmbeddings } = await core.indexing.state(LOCAL_USER);
  if (withoutEmbeddings > 0) throw new Error('The store was not filled: some memories lack embeddings.');
}

/** A unit vector near another. Their cosine is about 0.8, as for two texts on one subject. */
function perturb(centre: Float32Array, random: () => number): Float32Array {
  // The sum of three uniform numbers is close enough to a normal distribution, with a standard deviation of 0.5.
  const noise = 1.5 / Math.sqrt(centre.length);
  const vector = centre.map((component) => component + noise * (random() + random() + random() - 1.5));
  const length = Math.hypot(...vector);
  return vector.map((component) => component / length);
}
