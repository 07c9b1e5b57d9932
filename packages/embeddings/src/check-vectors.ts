/** Vectors of length 1, after a check that there is one a text, of one dimension, of finite numbers. Throws otherwise. */
export function checkVectors(vectors: readonly unknown[], count: number, dimensions: number | null): Float32Array[] {
  if (vectors.length !== count) {
    throw new Error(`The model answered with ${vectors.length} embeddings for ${count} texts.`);
  }
  return vectors.map((vector) => {
    if (!Array.isArray(vector) && !(vector instanceof Float32Array))
      throw new Error('The model answered with no list of numbers.');
    const floats = Float32Array.from(vector as ArrayLike<number>);
    const expected = dimensions ?? (vectors[0] as ArrayLike<number>).length;
    if (floats.length === 0 || floats.length !== expected) {
      throw new Error(`The model answered with ${floats.length} dimensions where ${expected} were expected.`);
    }
    const length = Math.hypot(...floats);
    if (!Number.isFinite(length) || length === 0)
      throw new Error('The model answered with numbers that are no direction.');
    return floats.map((component) => component / length);
  });
}
