import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LOCAL_USER } from '@recollect/core';
import type { Figure } from './figure.js';
import { embedCentres } from './measure-search.js';
import { createQuestions, createRows, type Question } from './search/dataset.js';
import { GIVEN_MODEL, type OpenRecollect, openRecollect, urlIn } from './search/recollect-engine.js';
import { quantile, time } from './statistics.js';

const QUESTIONS = 100;
const WARM_UP = 20;
/** As in a query for ten results. */
const CANDIDATES = 120;
const READ = 15;
/** Passage vectors of a chunk: the most that are kept. */
const TOKENS = 42;

/** The words of texts on disk alone, and in memory. */
const TEXT_MEMORY_MB = [0, 1_024];

/**
 * Prints what the parts of a query take, each asked on its own, in turns: they include a message to a thread and its
 * answer. Prints it without and with the words of texts in memory.
 */
export async function measureStages(count: number): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-bench-'));
  try {
    const centres = await embedCentres();
    const filling = await openRecollect(urlIn(folder), TOKENS);
    await filling.engine.fill(createRows(count, centres));
    await filling.engine.close();
    const questions = createQuestions(QUESTIONS + WARM_UP, centres);
    for (const textMemoryMb of TEXT_MEMORY_MB) {
      const store = await openRecollect(urlIn(folder), TOKENS, textMemoryMb);
      await store.warmUp();
      const times = await measureParts(store, questions);
      await store.engine.close();
      console.table(
        Array.from(times, ([part, all]) => ({
          part,
          memories: count,
          'words in memory': textMemoryMb > 0,
          'p50 in ms': quantile(all, 0.5).toFixed(2),
          p95: quantile(all, 0.95).toFixed(2),
        })),
      );
    }
    return [];
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The times of each part. */
async function measureParts(
  { engine, storage, twoWay }: OpenRecollect,
  questions: readonly Question[],
): Promise<Map<string, number[]>> {
  const { hybridIndex, vectorIndex, memories } = storage;
  const options = { limit: CANDIDATES, filter: {} };
  const times = new Map<string, number[]>();
  for (const [at, { text, vector }] of questions.entries()) {
    const terms = { terms: (text.match(/\p{L}+/gu) ?? []).map((word) => [word]), prefix: null };
    const embedded = { modelId: GIVEN_MODEL, vector, weight: 0.5, floor: 0, late: null };
    const { hits } = await vectorIndex.search(LOCAL_USER, GIVEN_MODEL, vector, { limit: READ, filter: {} });
    const parts = {
      'a statement that finds nothing': () => memories.readHits(LOCAL_USER, []),
      'nearest vectors': () => vectorIndex.search(LOCAL_USER, GIVEN_MODEL, vector, options),
      'full text': () => hybridIndex.search(LOCAL_USER, { terms, embedded: null }, options),
      'both at once': () => hybridIndex.search(LOCAL_USER, { terms, embedded }, options),
      'reading 15 memories': () => memories.readHits(LOCAL_USER, hits),
      'the whole query without late interaction': () => twoWay({ text, vector }, 10),
      'the whole query': () => engine.hybrid({ text, vector }, 10),
    };
    for (const [name, part] of Object.entries(parts)) {
      const took = await time(part);
      if (at >= WARM_UP) times.set(name, [...(times.get(name) ?? []), took]);
    }
  }
  return times;
}
