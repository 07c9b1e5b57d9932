// The kernel of full text. Each thread has its own instance over the same memory, and a lane of it for what only that
// thread uses. JavaScript holds the lock: any number of searches, or one change.

import { COUNT, SLOTS, TOP, WASTE } from '../layout';
import {
  GENERATION,
  GIVEN_TERMS,
  laneAt,
  REMOVED_COUNT,
  SLOTS_READ,
  TERMS,
  TOKENS,
  UNITED,
  UNITED_WEIGHTS,
  WEIGHTS_READ,
} from './layout';
import { blocksOf, readBlock } from './postings';
import { countAt, termsFrom as listTerms } from './terms';

export { FROM, GIVEN, idOf, MAX_LABELS, NONE_OF, TO, WANTED, WANTED_COUNT } from '../layout';
export { begin, candidates, countEligible, select, selectUnited, want } from './candidates';
export { describe, facts, groups, put, remove, reset } from './documents';
export {
  BEST,
  BEST_SCORES,
  CANDIDATE_SCORES,
  CANDIDATES,
  FIRST_FREE,
  FIRST_LANE,
  GIVEN_TERMS,
  GROUP,
  GROUP_BYTES,
  LANES,
  MAX_CANDIDATES,
  MAX_GIVEN_TERMS,
  MAX_LABEL_WORDS,
  MAX_LOOKED_UP,
  MAX_TERM_BYTES,
  MAX_UNITED,
  NO_DOCUMENT,
  TEXT,
  UNITED,
  UNITED_WEIGHTS,
} from './layout';
export { newest, removedWith } from './newest';
export { best, score, scoreUnited } from './rank';
export { termOf } from './terms';

/** The number of documents. */
export function count(): u32 {
  return load<u32>(COUNT);
}

/** Counts how often the index was emptied or replaced: terms are of one generation. */
export function generation(): u32 {
  return load<u32>(GENERATION);
}

/** The sum of their lengths. */
export function tokens(): f64 {
  return load<f64>(TOKENS);
}

/** The number of terms. */
export function terms(): u32 {
  return load<u32>(TERMS);
}

/** Documents that were ever added. */
export function slots(): u32 {
  return load<u32>(SLOTS);
}

/** Removals of documents. */
export function removals(): u32 {
  return load<u32>(REMOVED_COUNT);
}

/** Postings of a term, with those of removed documents. */
export function postings(term: u32): u32 {
  return load<u32>(countAt(term));
}

/** Allocated bytes. */
export function used(): u32 {
  return load<u32>(TOP);
}

/** Allocated bytes that are no longer used, without those of removed documents. */
export function wasted(): u32 {
  return load<u32>(WASTE);
}

/** The address of a part of a lane. */
export function addressOf(lane: u32, part: usize): usize {
  return laneAt(lane) + part;
}

/** Writes the terms that begin with the bytes in a lane. Returns how many there are, also beyond the limit. */
export function termsFrom(lane: u32, bytes: u32, limit: u32): u32 {
  return listTerms(lane, bytes, laneAt(lane) + GIVEN_TERMS, limit);
}

/** Copies the postings of a term to the unions of the lane, at a place. Returns how many. */
export function unite(lane: u32, term: u32, place: u32): u32 {
  const own = laneAt(lane);
  const blocks = blocksOf(term);
  let size: u32 = 0;
  for (let block: u32 = 0; block < blocks; block++) {
    const count = readBlock(term, block, own + SLOTS_READ);
    const target = <usize>(place + size) << 2;
    memory.copy(own + UNITED + target, own + SLOTS_READ, <usize>count << 2);
    memory.copy(own + UNITED_WEIGHTS + target, own + WEIGHTS_READ, <usize>count << 2);
    size += count;
  }
  return size;
}
