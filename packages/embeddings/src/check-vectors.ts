/** A model gave a text a vector that nothing can be compared with. */
export class InvalidVectorError extends Error {
  override readonly name = 'InvalidVectorError';
}

/**
 * Scales vectors to length 1. Throws unless there is one per text and all have the same dimension, finite numbers and a
 * length above 0.
 *
 * @example
 * checkVectors([[3, 4]], 1, 2); // [[0.6, 0.8]]
 */
export function checkVectors(vectors: readonly unknown[], count: number, dimensions: number | null): Float32Array[] {
  if (vectors.length !== count) {
    throw new Error(`The model returned ${vectors.length} embeddings for ${count} texts.`);
  }
  // A list may have holes, which its own `map` leaves out.
  return Array.from(vectors, (vector) => {
    const floats = floatsOf(vector);
    const expected = dimensions ?? (vectors[0] as ArrayLike<number>).length;
    if (floats.length === 0 || floats.length !== expected) {
      throw new Error(`The model returned ${floats.length} dimensions where ${expected} were expected.`);
    }
    const length = Math.hypot(...floats);
    if (!Number.isFinite(length) || length === 0)
      throw new InvalidVectorError('The model returned a vector that is zero or not finite.');
    return floats.map((component) => component / length);
  });
}

function floatsOf(vector: unknown): Float32Array {
  if (vector instanceof Float32Array) return vector;
  if (!Array.isArray(vector)) throw new Error(NOT_NUMBERS);
  // JSON writes numbers that are not finite as null, which a typed array would take for 0.
  if (vector.includes(null)) throw new InvalidVectorError('The model returned a vector that is not finite.');
  if (!Array.from(vector).every((component) => typeof component === 'number')) throw new Error(NOT_NUMBERS);
  return Float32Array.from(vector);
}

const NOT_NUMBERS = 'The model returned an embedding that is not a list of numbers.';
