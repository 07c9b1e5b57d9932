import { createRandom, createText, createWords } from '../corpus.js';

export const DIMENSIONS = 384;

/** A memory of one chunk. */
export interface Row {
  id: number;
  title: string;
  text: string;
  vector: Float32Array;
}

export interface Question {
  text: string;
  vector: Float32Array;
}

/**
 * Rows that follow from their number: texts of words distributed as in a language, and vectors near one of the centres,
 * so that similarities are distributed like real ones. Every process that asks gets the same.
 */
export function* createRows(count: number, centres: readonly Float32Array[]): Generator<Row> {
  const random = createRandom(4);
  const word = createWords(random);
  for (let id = 1; id <= count; id++) {
    const centre = centres[Math.floor(random() * centres.length)] ?? new Float32Array(DIMENSIONS);
    yield { id, title: `${createText(word, 5)} ${id}`, text: createText(word, 110), vector: perturb(centre, random) };
  }
}

/** Questions of four to nine words, common words included. */
export function createQuestions(count: number, centres: readonly Float32Array[]): Question[] {
  const word = createWords(createRandom(4));
  const random = createRandom(5);
  return Array.from({ length: count }, (_, at) => {
    const centre = centres[Math.floor(random() * centres.length)] ?? new Float32Array(DIMENSIONS);
    return { text: createText(word, 4 + (at % 6)), vector: perturb(centre, random) };
  });
}

/** A unit vector near another. Their cosine is about 0.8, as for two texts on one subject. */
function perturb(centre: Float32Array, random: () => number): Float32Array {
  // The sum of three uniform numbers is close enough to a normal distribution, with a standard deviation of 0.5.
  const noise = 1.5 / Math.sqrt(centre.length);
  const vector = centre.map((component) => component + noise * (random() + random() + random() - 1.5));
  const length = Math.hypot(...vector);
  return vector.map((component) => component / length);
}
