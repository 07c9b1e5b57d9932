// The kernel of the scan. Each thread has its own instance over the same memory, and a lane of it for what only that
// thread uses. JavaScript holds the lock: any number of scans, or one change.

import { COUNT, DIMENSIONS, HAS_ROWS, laneAt, ROW, rowBytes, TOP, WASTE } from './layout';
import { scoreOf } from './scan';
import { product, similarity } from './similarity';
import { find } from './table';

export { describe, prepare, put, remove, reset } from './change';
export {
  CANDIDATES,
  FROM,
  GIVEN,
  HITS,
  idOf,
  MAX_CANDIDATES,
  MAX_DIMENSIONS,
  MAX_HITS,
  MAX_LABELS,
  NORM_FACTOR,
  PRODUCT_FACTOR,
  QUERY,
  QUERY_SIGNS,
  ROW,
  SCORES,
  TO,
  WANTED,
  NONE_OF,
  WANTED_COUNT,
} from './layout';
export { rescore, scanRows, scanSigns } from './scan';

/** The number of components of the vectors; 0 before the first reset. */
export function dimensions(): u32 {
  return load<u32>(DIMENSIONS);
}

/** Whether the rows are in memory, or only the signs. */
export function hasRows(): bool {
  return load<u32>(HAS_ROWS) != 0;
}

/** The number of vectors. */
export function count(): u32 {
  return load<u32>(COUNT);
}

/** Allocated bytes. */
export function used(): u32 {
  return load<u32>(TOP);
}

/** Allocated bytes that are no longer used. */
export function wasted(): u32 {
  return load<u32>(WASTE);
}

/** The address of a part of a lane. */
export function addressOf(lane: u32, part: usize): usize {
  return laneAt(lane) + part;
}

/** The similarity of the vector with an id, whose row is in memory; NaN if there is none. */
export function scoreId(lane: u32, id: f64): f64 {
  const slot = find(id);
  return slot < 0 ? NaN : scoreOf(laneAt(lane), slot);
}

/** The similarity of the row in the lane. */
export function scoreRow(lane: u32): f64 {
  const base = laneAt(lane);
  const bytes = rowBytes();
  let norm: u32 = 0;
  for (let at: usize = 0; at < bytes; at++) {
    const component = <i32>load<i8>(base + ROW + at);
    norm += component * component;
  }
  return similarity(base, product(base, base + ROW, bytes), norm);
}
