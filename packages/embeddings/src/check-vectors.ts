/** A model gave a text a vector that nothing can be compared with. */
export class InvalidVectorError extends Error {
  override readonly name = 'InvalidVectorError';
}

/**
 * Scales vectors to length 1. Throws unless there is one per text and all have the same dimension, finite numbers and a length
 * above 0.
 *
 * @example
 * checkVectors([[3, 4]], 1, 2); // [[0.6, 0.8]]
 */
export function checkVectors(vectors: readonly unknown[], count: number, dimensions: number | null): Float32Array[] {
  if (vectors.length !== count) {
    throw new Error(`The model returned ${vectors.length} embeddings for ${count} texts.`);
  }
  return vectors.map((vector) => {
    if (!Array.isArray(vector) && !(vector instanceof Float32Array))
      throw new Error('The model returned an embedding that is not a list of numbers.');
    const floats = Float32Array.from(vector as ArrayLike<number>);
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
