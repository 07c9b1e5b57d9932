import { scaleOf } from './quantise.js';

/** A query as the kernel reads it. */
export interface PreparedQuery {
  /** 16-bit components: finer than the vectors' 8 bits, so that in effect the query is not quantised. */
  components: Int16Array;
  /** The value of one unit of a product of `components` with a row. */
  productFactor: number;
  /** The amount that one unit of a row's squared length subtracts. */
  normFactor: number;
}

const MAX_COMPONENT = 32_767;

/** Scales a unit vector so that its largest component fits, and no sum of its products with a row exceeds 32 bits. */
export function prepareQuery(vector: Float32Array): PreparedQuery {
  let largest = 0;
  for (const component of vector) largest = Math.max(largest, Math.abs(component));
  const fitting = Math.floor((2 ** 31 - 1) / (127 * Math.ceil(vector.length / 16) * 16));
  const factor = largest === 0 ? 1 : Math.min(MAX_COMPONENT, fitting) / largest;
  const scale = scaleOf(vector.length);
  return {
    components: Int16Array.from(vector, (component) => Math.round(component * factor)),
    productFactor: 1 / (scale * factor),
    normFactor: 1 / (2 * scale ** 2),
  };
}

/**
 * The cosine of a query and a row of `quantise`, by their Euclidean distance. The kernel computes the same number.
 *
 * @example
 * similarityOf(prepareQuery(query), quantise(vector)); // about the cosine of the two
 */
export function similarityOf({ components, productFactor, normFactor }: PreparedQuery, row: Int8Array): number {
  let product = 0;
  let norm = 0;
  for (let at = 0; at < row.length; at++) {
    const component = row[at] ?? 0;
    product += component * (components[at] ?? 0);
    norm += component * component;
  }
  return 0.5 + product * productFactor - norm * normFactor;
}
