import { startKernel } from './kernel.js';
import { createLaneFilter, type Facts, type Filter } from './lane-filter.js';
import { createLock } from './lock.js';
import { prepareQuery } from './prepare-query.js';
import type { SharedVectors } from './shared-vectors.js';

export interface SearchOptions {
  limit: number;
  filter?: Filter | undefined;
  /**
   * From this number of vectors on, signs are compared first, and the rows of the best candidates only; 50,000 by
   * default.
   */
  signsFrom?: number | undefined;
  /** How many candidates have their rows compared; at least 500 and four times the limit by default. */
  candidates?: number | undefined;
  /** Reads rows that are not in memory. It may leave out vectors that no longer exist. */
  readRows?: ((ids: readonly number[]) => Iterable<{ id: number; row: Uint8Array }>) | undefined;
}

export interface Hit {
  id: number;
  /** The cosine, −1 to 1, by the Euclidean distance to the row. */
  similarity: number;
}

/** Changes, which take effect together. Each throws a {@link FullError} when the memory cannot grow. */
export interface Changes {
  /** Adds a vector or replaces the one with the same id, an integer from 0. @param row int8 components of `quantise` */
  put(id: number, row: Uint8Array, facts: Facts): void;
  /** Changes the filter values of a vector. Returns whether there is such a vector. */
  describe(id: number, facts: Facts): boolean;
  /** Removes a vector. Returns whether there was one. */
  remove(id: number): boolean;
}

/** The content of an index. */
export interface Shape {
  /** The components of each vector, 1 to 4,096; 0 before the first `reset`. */
  dimensions: number;
  /** Whether the rows of int8 components are in memory, or only their signs. */
  hasRows: boolean;
}

/** One thread's access to shared vectors. */
export interface Vectors {
  /** Removes everything, and makes an empty index. Throws a {@link FullError} if there is no room for one. */
  reset(shape: Shape): void;
  shape(): Shape;
  count(): number;
  /** Allocated bytes, and how many of them are wasted: their contents were replaced or removed. */
  bytes(): { used: number; wasted: number };
  /** Changes the vectors while no thread searches. */
  change<Result>(work: (changes: Changes) => Result): Result;
  /**
   * The most similar vectors, best first.
   *
   * @param query of length 1. Do not modify it afterwards: it is cached by reference
   */
  search(query: Float32Array, options: SearchOptions): Hit[];
  /** The similarities of given vectors, in their order; NaN for a missing vector. @param query as in {@link search} */
  similarities(query: Float32Array, ids: readonly number[], readRows?: SearchOptions['readRows']): number[];
}

/** The budget is exhausted. */
export class FullError extends Error {
  override name = 'FullError';
  readonly code = 'VECTORS_FULL';
}

const SIGNS_FROM = 50_000;
const MAX_CANDIDATES = 500;

/**
 * Opens shared vectors in a thread. Two threads must not use the same lane.
 *
 * @param lane from 0, below the number of threads that the vectors were made for
 * @example
 * const shared = createSharedVectors({ budget: 2 ** 29, threads: 2 });
 * if (shared === null) throw new Error('This machine cannot scan.');
 * const vectors = openVectors(shared, 0);
 * vectors.reset({ dimensions: 384, hasRows: true });
 * vectors.change(({ put }) => put(1, new Uint8Array(quantise(vector).buffer), { value: 0, labels: [] }));
 * vectors.search(query, { limit: 10 }); // [{ id: 1, similarity: 0.7 }]
 */
export function openVectors({ module, memory }: SharedVectors, lane: number): Vectors {
  const { kernel, layout } = startKernel(module, memory);
  // The buffer of a shared memory is shared, which the type does not say.
  const buffer = memory.buffer as unknown as SharedArrayBuffer;
  const lock = createLock(new Int32Array(buffer, 0, 2));
  // The lanes are at the beginning, so that these views stay valid when the memory grows.
  const at = (part: number) => kernel.addressOf(lane, part);
  const { setLabels, setFilter } = createLaneFilter(buffer, at, layout);
  const row = new Uint8Array(buffer, at(layout.ROW), layout.MAX_DIMENSIONS);
  const factors = new Float64Array(buffer, at(layout.PRODUCT_FACTOR), 2);
  const query16 = new Int16Array(buffer, at(layout.QUERY), layout.MAX_DIMENSIONS);
  const querySigns = new Uint8Array(buffer, at(layout.QUERY_SIGNS), layout.MAX_DIMENSIONS >> 3);
  const scores = new Float64Array(buffer, at(layout.SCORES), layout.MAX_HITS);
  const hits = new Uint32Array(buffer, at(layout.HITS), layout.MAX_HITS);
  const candidateSlots = new Uint32Array(buffer, at(layout.CANDIDATES), layout.MAX_CANDIDATES);

  const setRow = (bytes: Uint8Array) => {
    const dimensions = kernel.dimensions();
    if (bytes.length !== dimensions)
      throw new RangeError(`A vector has ${bytes.length} components; these have ${dimensions}.`);
    row.set(bytes);
    row.fill(0, dimensions, padded(dimensions));
  };
  /** The query in the lane. A hybrid search uses it twice. */
  let prepared: Float32Array | null = null;
  const setQuery = (query: Float32Array) => {
    const dimensions = kernel.dimensions();
    if (query.length !== dimensions)
      throw new RangeError(`The query has ${query.length} components; the vectors have ${dimensions}.`);
    if (query === prepared) return;
    const { components, productFactor, normFactor } = prepareQuery(query);
    query16.set(components);
    query16.fill(0, dimensions, padded(dimensions));
    factors.set([productFactor, normFactor]);
    querySigns.fill(0, 0, padded(dimensions) >> 3);
    for (let index = 0; index < dimensions; index++)
      if ((components[index] ?? 0) < 0) querySigns[index >> 3] = (querySigns[index >> 3] ?? 0) | (1 << (index & 7));
    prepared = query;
  };
  const readHits = (count: number): Hit[] =>
    Array.from({ length: count }, (_, index) => ({
      id: kernel.idOf(hits[index] ?? 0),
      similarity: scores[index] ?? 0,
    })).sort(bestFirst);

  const scoreFetched = (ids: readonly number[], readRows: SearchOptions['readRows']): Hit[] => {
    if (readRows === undefined) throw new Error('The rows are not in memory, and readRows is missing.');
    return Array.from(readRows(ids), ({ id, row: bytes }) => {
      setRow(bytes);
      return { id, similarity: kernel.scoreRow(lane) };
    });
  };

  const demandRoom = (isDone: boolean) => {
    if (!isDone) throw new FullError('The memory for vectors is full.');
  };

  return {
    reset: ({ dimensions, hasRows }) =>
      lock.holdAlone(() => {
        if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > layout.MAX_DIMENSIONS)
          throw new RangeError(`Vectors have 1 to ${layout.MAX_DIMENSIONS} components, not ${dimensions}.`);
        demandRoom(kernel.reset(dimensions, hasRows) !== 0);
      }),
    shape: () => lock.share(() => ({ dimensions: kernel.dimensions(), hasRows: kernel.hasRows() !== 0 })),
    count: () => lock.share(() => kernel.count()),
    bytes: () => lock.share(() => ({ used: kernel.used() >>> 0, wasted: kernel.wasted() >>> 0 })),

    change: (work) =>
      lock.holdAlone(() =>
        work({
          put(id, bytes, { value, labels }) {
            setRow(bytes);
            demandRoom(kernel.put(lane, id, value, setLabels(labels)) !== 0);
          },
          describe(id, { value, labels }) {
            const outcome = kernel.describe(lane, id, value, setLabels(labels));
            demandRoom(outcome >= 0);
            return outcome === 1;
          },
          remove: (id) => kernel.remove(id) !== 0,
        }),
      ),

    search: (query, { limit, filter = {}, signsFrom = SIGNS_FROM, candidates, readRows }) =>
      lock.share(() => {
        const most = Math.min(limit, layout.MAX_HITS);
        const rescored = Math.min(candidates ?? Math.max(MAX_CANDIDATES, 4 * most), layout.MAX_CANDIDATES);
        setQuery(query);
        const isFiltered = setFilter(filter);
        if (most < 1) return [];
        const hasRows = kernel.hasRows() !== 0;
        if (hasRows && (kernel.count() < signsFrom || rescored < most))
          return readHits(kernel.scanRows(lane, most, isFiltered));
        const candidateCount = kernel.scanSigns(lane, rescored, isFiltered);
        if (hasRows) return readHits(kernel.rescore(lane, candidateCount, most));
        const ids = Array.from(candidateSlots.subarray(0, candidateCount), (slot) => kernel.idOf(slot));
        return scoreFetched(ids, readRows).sort(bestFirst).slice(0, most);
      }),

    similarities: (query, ids, readRows) =>
      lock.share(() => {
        setQuery(query);
        if (kernel.hasRows() !== 0) return ids.map((id) => kernel.scoreId(lane, id));
        const scores = new Map(scoreFetched(ids, readRows).map(({ id, similarity }) => [id, similarity]));
        return ids.map((id) => scores.get(id) ?? Number.NaN);
      }),
  };
}

function bestFirst(a: Hit, b: Hit): number {
  return b.similarity - a.similarity || a.id - b.id;
}

/** Rows and queries are padded with zeros to whole vectors of 128 signs. */
function padded(dimensions: number): number {
  return Math.ceil(dimensions / 128) * 128;
}
