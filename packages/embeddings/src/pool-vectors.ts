import { signsOf } from '@recollect/in-memory-index';

/**
 * Merges the vectors that say nearly the same until at most `most` are left: token pooling (Clavié, Chaffin, Adams,
 * "Reducing the Footprint of Multi-Vector Retrieval with Minimal Performance Impact via Token Pooling", 2024), by
 * Ward's method, which merges the two clusters whose variance grows least. A cluster becomes the sum of its vectors.
 *
 * @param vectors of length 1 and `dimensions` components each, a multiple of 8, one after the other
 * @returns the same vectors if there are no more than `most`, otherwise new ones, whose lengths differ
 * @example
 * poolVectors(tokens, 384, 42).length / 384; // 42, if there were more
 */
export function poolVectors(
  vectors: Float32Array<ArrayBuffer>,
  dimensions: number,
  most: number,
): Float32Array<ArrayBuffer> {
  const count = vectors.length / dimensions;
  if (count <= most) return vectors;
  const sums = Array.from({ length: count }, (_, at) => vectors.slice(at * dimensions, (at + 1) * dimensions));
  const sizes = new Float64Array(count).fill(1);
  const costs = createCosts(sums, dimensions);
  const live = Array.from({ length: count }, (_, at) => at);
  while (live.length > most) {
    const [kept, merged] = costs.cheapest(live);
    live.splice(live.indexOf(merged), 1);
    costs.merge(kept, merged, live, sizes);
    sizes[kept] = (sizes[kept] as number) + (sizes[merged] as number);
    add(sums[kept] as Float32Array, sums[merged] as Float32Array);
  }
  const pooled = new Float32Array(live.length * dimensions);
  for (const [index, at] of live.entries()) pooled.set(sums[at] as Float32Array, index * dimensions);
  return pooled;
}

/** The cost of merging each pair of clusters: the growth of the variance. */
function createCosts(units: readonly Float32Array[], dimensions: number) {
  const count = units.length;
  const signs = units.map(signsIn32);
  const costs = new Float64Array(count * count);
  /** For each cluster the one behind it that costs least, or −1 if that has to be looked up. */
  const nearest = new Int32Array(count).fill(-1);
  for (let a = 0; a < count; a++) {
    for (let b = 0; b < a; b++) {
      const cost = 1 - estimateCosine(signs[a] as Int32Array, signs[b] as Int32Array, dimensions);
      costs[a * count + b] = cost;
      costs[b * count + a] = cost;
    }
  }

  const findNearest = (a: number, live: readonly number[]): number => {
    let best = -1;
    let least = Number.POSITIVE_INFINITY;
    for (const b of live) {
      const cost = costs[a * count + b] as number;
      if (b > a && cost < least) {
        best = b;
        least = cost;
      }
    }
    return best;
  };

  return {
    /** The two that cost least, the earlier first. */
    cheapest(live: readonly number[]): [number, number] {
      let best = live[0] as number;
      let least = Number.POSITIVE_INFINITY;
      for (const a of live.slice(0, -1)) {
        if ((nearest[a] as number) < 0) nearest[a] = findNearest(a, live);
        const cost = costs[a * count + (nearest[a] as number)] as number;
        if (cost < least) {
          best = a;
          least = cost;
        }
      }
      return [best, nearest[best] as number];
    },

    /**
     * After two were merged: the formula of Lance and Williams gives the costs of the new cluster from the old ones.
     */
    merge(kept: number, merged: number, live: readonly number[], sizes: Float64Array) {
      const [keptSize, mergedSize] = [sizes[kept] as number, sizes[merged] as number];
      const joined = costs[kept * count + merged] as number;
      for (const other of live) {
        if (other === kept) continue;
        const size = sizes[other] as number;
        const [fromKept, fromMerged] = [costs[kept * count + other] as number, costs[merged * count + other] as number];
        const cost =
          ((keptSize + size) * fromKept + (mergedSize + size) * fromMerged - size * joined) /
          (keptSize + mergedSize + size);
        costs[kept * count + other] = cost;
        costs[other * count + kept] = cost;
        // Costs only grow, so another cluster stays the nearest.
        if (nearest[other] === kept || nearest[other] === merged) nearest[other] = -1;
      }
      nearest[kept] = -1;
    },
  };
}

/**
 * The cosine of two vectors, estimated from how many of their signs differ (Charikar, "Similarity Estimation Techniques
 * from Rounding Algorithms", STOC 2002). That takes a tenth of the time, and only the signs are kept in the end.
 */
function estimateCosine(a: Int32Array, b: Int32Array, dimensions: number): number {
  let different = 0;
  for (let at = 0; at < a.length; at++) different += countOnes((a[at] as number) ^ (b[at] as number));
  return Math.cos((Math.PI * different) / dimensions);
}

function signsIn32(unit: Float32Array): Int32Array {
  const signs = new Uint8Array(4 * Math.ceil(unit.length / 32));
  signs.set(signsOf(unit, unit.length));
  return new Int32Array(signs.buffer);
}

/** The ones among 32 bits, counted in pairs, fours and bytes (Warren, "Hacker's Delight", 5-1). */
function countOnes(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

function add(sum: Float32Array, other: Float32Array): void {
  for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] as number) + (other[at] as number);
}
