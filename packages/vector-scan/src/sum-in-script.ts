/**
 * The sum, for each passage, of the greatest products of each token with the signs of a token, as components of 1 and
 * −1.
 */
export type SumGreatest = (
  query: Float32Array,
  dimensions: number,
  passages: readonly Uint8Array[],
) => ArrayLike<number>;

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
