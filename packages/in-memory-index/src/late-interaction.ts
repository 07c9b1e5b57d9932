import { readFileSync } from 'node:fs';

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

/** The exports of the kernel; assembly/late-interaction.ts. */
interface LateKernel {
  memory: WebAssembly.Memory;
  score(
    dimensions: number,
    groups: number,
    query: number,
    table: number,
    passages: number,
    counts: number,
    signs: number,
    scores: number,
  ): void;
}

const PAGE = 65_536;
/** Vectors of the query that are compared at a time. */
const LANES = 4;

/** Starts the kernel that compares token vectors with signs. Null where the processor or the engine cannot run it. */
function startLateKernel(): SumGreatest | null {
  const bytes = readFileSync(new URL('./late-interaction.wasm', import.meta.url));
  if (!WebAssembly.validate(bytes)) return null;
  // The exports of a module have no types; `LateKernel` repeats the types of the source.
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes));
  const { memory, score } = exports as unknown as LateKernel;

  return (query, dimensions, passages) => {
    const groups = Math.ceil(query.length / dimensions / LANES);
    const size = { query: groups * dimensions * 16, table: dimensions * 64, words: passages.length * 4 };
    const at = { query: 0, table: size.query, counts: size.query + size.table, scores: 0, signs: 0 };
    at.scores = at.counts + size.words;
    at.signs = at.scores + size.words;
    const end = passages.reduce((sum, { length }) => sum + length, at.signs);
    if (end > memory.buffer.byteLength) memory.grow(Math.ceil((end - memory.buffer.byteLength) / PAGE));

    placeInLanes(query, dimensions, new Float32Array(memory.buffer, at.query, groups * dimensions * LANES));
    const counts = new Uint32Array(memory.buffer, at.counts, passages.length);
    const scores = new Float32Array(memory.buffer, at.scores, passages.length).fill(0);
    const signs = new Uint8Array(memory.buffer, at.signs);
    let offset = 0;
    for (const [index, passage] of passages.entries()) {
      counts[index] = (passage.length * 8) / dimensions;
      signs.set(passage, offset);
      offset += passage.length;
    }
    score(dimensions, groups, at.query, at.table, passages.length, at.counts, at.signs, at.scores);
    return scores;
  };
}

/**
 * Puts vectors into groups of four, whose components alternate. Vectors that are missing in the last group are zero,
 * and add nothing.
 */
function placeInLanes(query: Float32Array, dimensions: number, target: Float32Array): void {
  target.fill(0);
  for (let index = 0; index < query.length; index++) {
    const vector = Math.floor(index / dimensions);
    const group = Math.floor(vector / LANES);
    target[(group * dimensions + (index % dimensions)) * LANES + (vector % LANES)] = query[index] as number;
  }
}

/**
 * The sum, for each passage, of the greatest products of each token with the signs of a token, as components of 1 and
 * −1.
 */
type SumGreatest = (query: Float32Array, dimensions: number, passages: readonly Uint8Array[]) => ArrayLike<number>;

/** Computes the kernel's result where the kernel cannot run. */
export const sumInScript: SumGreatest = (query, dimensions, passages) =>
  passages.map((signs) => {
    let sum = 0;
    for (let token = 0; token < query.length; token += dimensions)
      sum += greatest(query.subarray(token, token + dimensions), signs);
    return sum;
  });

function greatest(vector: Float32Array, signs: Uint8Array): number {
  const bytes = vector.length / 8;
  let greatestYet = Number.NEGATIVE_INFINITY;
  for (let start = 0; start < signs.length; start += bytes) {
    let product = 0;
    for (let at = 0; at < vector.length; at++) {
      const isPositive = ((signs[start + (at >> 3)] as number) >> (at & 7)) & 1;
      product += isPositive === 1 ? (vector[at] as number) : -(vector[at] as number);
    }
    if (product > greatestYet) greatestYet = product;
  }
  return greatestYet;
}
