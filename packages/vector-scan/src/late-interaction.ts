import { startLateKernel } from './late-kernel.js';
import { type SumGreatest, sumInScript } from './sum-in-script.js';

/**
 * The signs of token vectors, one bit per component: bit `i % 8` of byte `i / 8` says that component `i` is positive.
 * Vectors follow each other.
 *
 * @param vectors of `dimensions` components each, a multiple of 8; their lengths do not matter
 * @example
 * signsOf(Float32Array.of(0.5, -0.1, 0.2, -0.3, -0.3, 0.1, 0.4, -0.2), 8); // Uint8Array [ 0b01100101 ]
 */
export function signsOf(vectors: Float32Array, dimensions: number): Uint8Array<ArrayBuffer> {
  if (dimensions % 8 !== 0 || vectors.length % dimensions !== 0)
    throw new RangeError(`Cannot split ${vectors.length} components into vectors of ${dimensions}, a multiple of 8.`);
  const signs = new Uint8Array(vectors.length / 8);
  for (let at = 0; at < vectors.length; at++) {
    if ((vectors[at] as number) > 0) signs[at >> 3] = (signs[at >> 3] as number) | (1 << (at & 7));
  }
  return signs;
}

/**
 * Late interaction (Khattab and Zaharia, "ColBERT", SIGIR 2020): the mean, over the tokens of a query, of the greatest
 * similarity to a token of the passage. The query keeps its floats; of a passage, only signs are needed. On two sets of
 * conversations that gave the same ranking quality as the floats of both.
 *
 * For each half of a byte there is a table of the sums of its 16 patterns, so that a pair of tokens takes one addition
 * per four components, and a kernel with SIMD does four of these at once.
 *
 * @param query token vectors of length 1, one after the other
 * @param passages the signs of their token vectors
 * @returns the score of each passage, in [-1, 1]: `NaN` for signs of other dimensions, null without any
 * @example
 * scorePassages(queryTokens, 384, [signsOf(passageTokens, 384)]); // [0.61]
 */
export function scorePassages(
  query: Float32Array,
  dimensions: number,
  passages: readonly Uint8Array[],
): (number | null)[] {
  const tokens = query.length / dimensions;
  const bytes = dimensions / 8;
  if (!Number.isInteger(tokens) || !Number.isInteger(bytes))
    throw new RangeError(`Cannot split ${query.length} components into vectors of ${dimensions}, a multiple of 8.`);
  const isComparable = (signs: Uint8Array) => tokens > 0 && signs.length % bytes === 0;
  const comparable = passages.filter((signs) => signs.length > 0 && isComparable(signs));
  kernel ??= startLateKernel() ?? sumInScript;
  const sums = kernel(query, dimensions, comparable);
  // The signs of a vector, as a vector of length 1, have components of this size.
  const size = 1 / Math.sqrt(dimensions);
  let at = 0;
  return passages.map((signs) => {
    if (signs.length === 0) return null;
    return isComparable(signs) ? ((sums[at++] ?? 0) * size) / tokens : Number.NaN;
  });
}

let kernel: SumGreatest | undefined;
