/** The mean of quantised vectors, scaled to length 1; null if there are none. */
export function meanOf(vectors: readonly Uint8Array[]): Float32Array | null {
  const [first] = vectors;
  if (first === undefined) return null;
  const sum = new Float32Array(first.length);
  for (const { buffer, byteOffset, length } of vectors) {
    for (const [index, component] of new Int8Array(buffer, byteOffset, length).entries())
      sum[index] = (sum[index] ?? 0) + component;
  }
  const length = Math.hypot(...sum) || 1;
  return sum.map((component) => component / length);
}
