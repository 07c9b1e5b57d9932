import { meets } from '../filter';
import { SLOTS } from '../layout';
import { find } from '../table';
import { isThere, labelsOf, valueOf } from './documents';
import {
  CANDIDATE_COUNT,
  CANDIDATE_SCORES,
  CANDIDATES,
  laneAt,
  MAX_CANDIDATES,
  PLACE_MASK,
  PLACES,
  SLOTS_READ,
  UNITED,
  WANTED_SCORE,
} from './layout';
import { blocksOf, readBlock } from './postings';

// The documents that a search ranks, with their scores so far. A table finds a document by its slot: open addressing
// with linear probing, as large as the search needs.

/** Forgets the candidates of the search before. @param most how many there may be */
export function begin(lane: u32, most: u32): void {
  const own = laneAt(lane);
  let size: u32 = 64;
  while (size < 2 * most && size < 2 * MAX_CANDIDATES) size <<= 1;
  memory.fill(own + PLACES, 0, <usize>size << 2);
  store<u32>(own + PLACE_MASK, size - 1);
  store<u32>(own + CANDIDATE_COUNT, 0);
}

/** The place of a candidate, or -1. */
// @ts-expect-error: decorator
@inline
export function placeOfCandidate(own: usize, slot: u32): i32 {
  const mask = load<u32>(own + PLACE_MASK);
  let position = (slot * 0x9e3779b1) & mask;
  let entry = load<u32>(own + PLACES + (<usize>position << 2));
  while (entry != 0) {
    if ((load<u32>(own + CANDIDATES + (<usize>(entry - 1) << 2)) & ~WANTED_SCORE) == slot) return <i32>(entry - 1);
    position = (position + 1) & mask;
    entry = load<u32>(own + PLACES + (<usize>position << 2));
  }
  return -1;
}

/** Adds a candidate that is not there yet. Returns whether there was room. */
function add(own: usize, slot: u32, mark: u32): bool {
  const count = load<u32>(own + CANDIDATE_COUNT);
  const mask = load<u32>(own + PLACE_MASK);
  if (count * 2 > mask) return false;
  let position = (slot * 0x9e3779b1) & mask;
  while (load<u32>(own + PLACES + (<usize>position << 2)) != 0) position = (position + 1) & mask;
  store<u32>(own + PLACES + (<usize>position << 2), count + 1);
  store<u32>(own + CANDIDATES + (<usize>count << 2), slot | mark);
  store<f64>(own + CANDIDATE_SCORES + (<usize>count << 3), 0);
  store<u32>(own + CANDIDATE_COUNT, count + 1);
  return true;
}

/** Adds a document whose score is wanted. Returns whether there was room. */
export function want(lane: u32, id: f64): bool {
  const own = laneAt(lane);
  const slot = find(id);
  return slot < 0 || placeOfCandidate(own, slot) >= 0 || add(own, slot, WANTED_SCORE);
}

/** Adds the documents that have a term and meet the filter. Returns whether there was room. */
export function select(lane: u32, term: u32, isFiltered: bool): bool {
  const own = laneAt(lane);
  const blocks = blocksOf(term);
  for (let block: u32 = 0; block < blocks; block++) {
    const count = readBlock(term, block, own + SLOTS_READ);
    if (!selectSome(own, own + SLOTS_READ, count, isFiltered)) return false;
  }
  return true;
}

/** Adds the documents of a union that meet the filter. */
export function selectUnited(lane: u32, from: u32, count: u32, isFiltered: bool): bool {
  const own = laneAt(lane);
  return selectSome(own, own + UNITED + (<usize>from << 2), count, isFiltered);
}

function selectSome(own: usize, slots: usize, count: u32, isFiltered: bool): bool {
  for (let at: usize = 0; at < count; at++) {
    const slot = load<u32>(slots + (at << 2));
    if (!isEligible(own, slot, isFiltered) || placeOfCandidate(own, slot) >= 0) continue;
    if (!add(own, slot, 0)) return false;
  }
  return true;
}

/** Whether a document is there and meets the filter. */
// @ts-expect-error: decorator
@inline
export function isEligible(own: usize, slot: u32, isFiltered: bool): bool {
  return isThere(slot) && (!isFiltered || meets(own, valueOf(slot), labelsOf(slot)));
}

/** The documents that have a term and meet the filter; beyond a limit, an estimate from how far they reach. */
export function countEligible(lane: u32, term: u32, limit: u32): f64 {
  const own = laneAt(lane);
  const blocks = blocksOf(term);
  let sum: u32 = 0;
  for (let block: u32 = 0; block < blocks; block++) {
    const count = readBlock(term, block, own + SLOTS_READ);
    for (let at: usize = 0; at < count; at++) {
      const slot = load<u32>(own + SLOTS_READ + (at << 2));
      if (!isEligible(own, slot, true)) continue;
      sum++;
      if (sum == limit) return (<f64>sum * <f64>load<u32>(SLOTS)) / <f64>(slot + 1);
    }
  }
  return <f64>sum;
}

/** The number of candidates. */
export function candidates(lane: u32): u32 {
  return load<u32>(laneAt(lane) + CANDIDATE_COUNT);
}

