import { offer } from '../heap';
import { idOf } from '../layout';
import { isEligible } from './candidates';
import { greatestTo, isThere } from './documents';
import {
  BEST,
  BEST_SCORES,
  GIVEN_TERMS,
  laneAt,
  LEFT,
  OTHER_SLOTS,
  REMOVED,
  SLOTS_READ,
} from './layout';
import { blocksOf, lastOf, readBlock } from './postings';
import { countAt } from './terms';

/**
 * Puts the documents with the greatest ids that have all terms of the lane into its heap, with their ids as scores.
 * Begins with the last documents, and ends where no id can be greater. Returns how many.
 *
 * @param terms rarest first
 */
export function newest(lane: u32, terms: u32, limit: u32, isFiltered: bool): u32 {
  const own = laneAt(lane);
  const rarest = load<u32>(own + GIVEN_TERMS);
  let size: u32 = 0;
  for (let block = blocksOf(rarest); block-- > 0; ) {
    if (size == limit && greatestTo(lastOf(rarest, block)) <= load<f64>(own + BEST_SCORES)) break;
    const count = readBlock(rarest, block, own + SLOTS_READ);
    let left: u32 = 0;
    for (let at: usize = 0; at < count; at++) {
      const slot = load<u32>(own + SLOTS_READ + (at << 2));
      if (!isEligible(own, slot, isFiltered)) continue;
      store<u32>(own + LEFT + (<usize>left << 2), slot);
      left++;
    }
    for (let at: u32 = 1; at < terms && left > 0; at++)
      left = keepThose(own, load<u32>(own + GIVEN_TERMS + (<usize>at << 2)), left);
    for (let at: usize = 0; at < left; at++) {
      const slot = load<u32>(own + LEFT + (at << 2));
      size = offer(own + BEST_SCORES, own + BEST, size, limit, idOf(slot), slot);
    }
  }
  return size;
}

/** Keeps the slots of the lane that have a term. Returns how many. */
function keepThose(own: usize, term: u32, count: u32): u32 {
  let kept: u32 = 0;
  const blocks = blocksOf(term);
  let block: u32 = 0;
  let read: u32 = 0xffffffff;
  let end: u32 = 0;
  let place: u32 = 0;
  for (let at: usize = 0; at < count; at++) {
    const slot = load<u32>(own + LEFT + (at << 2));
    block = blockFrom(term, block, blocks, slot);
    if (block == blocks) break;
    if (block != read) {
      end = readBlock(term, block, own + OTHER_SLOTS);
      read = block;
      place = 0;
    }
    while (place < end && load<u32>(own + OTHER_SLOTS + (<usize>place << 2)) < slot) place++;
    if (place == end || load<u32>(own + OTHER_SLOTS + (<usize>place << 2)) != slot) continue;
    store<u32>(own + LEFT + (<usize>kept << 2), slot);
    kept++;
  }
  return kept;
}

/** The first block from which on a term may have a slot: in steps that double, and then by halves. */
function blockFrom(term: u32, from: u32, blocks: u32, slot: u32): u32 {
  let low = from;
  let step: u32 = 1;
  while (low + step <= blocks && lastOf(term, low + step - 1) < slot) {
    low += step;
    step <<= 1;
  }
  let high = min(low + step, blocks);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lastOf(term, middle) < slot) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * How many documents with a term were removed, of those from a place on in the order of removals.
 *
 * @param to the number of removals to look at
 */
export function removedWith(lane: u32, term: u32, from: u32, to: u32): u32 {
  const own = laneAt(lane);
  const blocks = blocksOf(term);
  let sum: u32 = 0;
  if (from == 0 && load<u32>(countAt(term)) < 8 * to) {
    for (let block: u32 = 0; block < blocks; block++) {
      const count = readBlock(term, block, own + SLOTS_READ);
      for (let at: usize = 0; at < count; at++) if (!isThere(load<u32>(own + SLOTS_READ + (at << 2)))) sum++;
    }
    return sum;
  }
  const removed: usize = load<u32>(REMOVED);
  for (let at = from; at < to; at++) {
    store<u32>(own + LEFT, load<u32>(removed + (<usize>at << 2)));
    sum += keepThose(own, term, 1);
  }
  return sum;
}
