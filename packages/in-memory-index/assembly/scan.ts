import { meets } from './filter';
import { offer, worst } from './heap';
import {
  BLOCK_BITS,
  BLOCK_SLOTS,
  BLOCKS,
  blockOf,
  CANDIDATES,
  COMPARED,
  DIMENSIONS,
  DIRECTORY,
  DISTANCES,
  HISTOGRAM,
  HITS,
  idsAt,
  labelsAt,
  laneAt,
  MAX_CANDIDATES,
  NOTHING,
  normsAt,
  QUERY,
  QUERY_SIGNS,
  rowBytes,
  rowsAt,
  SCORES,
  signBytes,
  valuesAt,
  within,
} from './layout';
import { product, similarity, sumOf } from './similarity';

/** Finds the most similar vectors by their rows. Returns how many hits are in the lane's heap. */
export function scanRows(laneIndex: u32, limit: u32, isFiltered: bool): u32 {
  const lane = laneAt(laneIndex);
  const blocks = load<u32>(BLOCKS);
  let size: u32 = 0;
  for (let at: u32 = 0; at < blocks; at++) {
    const block: usize = load<u32>(DIRECTORY + (<usize>at << 2));
    const first = at << BLOCK_BITS;
    size = isFiltered ? scanSomeRows(lane, block, first, size, limit) : scanAllRows(lane, block, first, size, limit);
  }
  return size;
}

/** Scans two rows at a time, which share the loads of the query. */
function scanAllRows(lane: usize, block: usize, first: u32, hits: u32, limit: u32): u32 {
  const bytes = rowBytes();
  const ids = block + idsAt();
  const norms = block + normsAt();
  let size = hits;
  let row = block + rowsAt();
  let bar = worst(lane + SCORES, size, limit);
  for (let place: u32 = 0; place < BLOCK_SLOTS; place += 2) {
    let a = i32x4.splat(0);
    let b = i32x4.splat(0);
    let query = lane + QUERY;
    for (const end = row + bytes; row < end; row += 16, query += 32) {
      const low = v128.load(query);
      const high = v128.load(query, 16);
      const one = v128.load(row);
      const two = v128.load(row + bytes);
      a = i32x4.add(a, i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_s(one), low));
      b = i32x4.add(b, i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_s(two), low));
      a = i32x4.add(a, i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_s(one), high));
      b = i32x4.add(b, i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_s(two), high));
    }
    row += bytes;
    let score = similarity(lane, sumOf(a), load<u32>(norms + (<usize>place << 2)));
    if (score > bar && load<f64>(ids + (<usize>place << 3)) != NOTHING) {
      size = offer(lane + SCORES, lane + HITS, size, limit, score, first + place);
      bar = worst(lane + SCORES, size, limit);
    }
    score = similarity(lane, sumOf(b), load<u32>(norms + (<usize>place << 2), 4));
    if (score > bar && load<f64>(ids + (<usize>place << 3), 8) != NOTHING) {
      size = offer(lane + SCORES, lane + HITS, size, limit, score, first + place + 1);
      bar = worst(lane + SCORES, size, limit);
    }
  }
  return size;
}

function scanSomeRows(lane: usize, block: usize, first: u32, hits: u32, limit: u32): u32 {
  const bytes = rowBytes();
  let size = hits;
  for (let place: usize = 0; place < BLOCK_SLOTS; place++) {
    if (!isWanted(lane, block, place)) continue;
    const sum = product(lane, block + rowsAt() + place * bytes, bytes);
    const score = similarity(lane, sum, load<u32>(block + normsAt() + (place << 2)));
    if (score > worst(lane + SCORES, size, limit)) size = offer(lane + SCORES, lane + HITS, size, limit, score, first + <u32>place);
  }
  return size;
}

/** Finds the vectors whose signs differ least from the query's. Returns how many candidates are in the lane. */
export function scanSigns(laneIndex: u32, wanted: u32, isFiltered: bool): u32 {
  const lane = laneAt(laneIndex);
  const blocks = load<u32>(BLOCKS);
  const bytes = signBytes();
  memory.fill(lane + HISTOGRAM, 0, (<usize>load<u32>(DIMENSIONS) + 32) << 2);
  let count: u32 = 0;
  // Only vectors that differ in fewer signs can still be candidates.
  let bar: u32 = 0xffff;
  for (let at: u32 = 0; at < blocks; at++) {
    const block: usize = load<u32>(DIRECTORY + (<usize>at << 2));
    if (bytes == 48) compare48(block, lane);
    else compareSigns(block, lane, bytes);
    for (let place: u32 = 0; place < BLOCK_SLOTS; place++) {
      if ((place & 7) == 0 && !isAnyBelow(lane + COMPARED + (<usize>place << 1), bar)) {
        place += 7;
        continue;
      }
      const distance: u32 = load<u16>(lane + COMPARED + (<usize>place << 1));
      if (distance >= bar) continue;
      // Signs are read in sequence; labels are anywhere, so they are read for the few that are near.
      if (isFiltered ? !isWanted(lane, block, place) : load<f64>(block + idsAt() + (<usize>place << 3)) == NOTHING)
        continue;
      store<u32>(lane + CANDIDATES + (<usize>count << 2), (at << BLOCK_BITS) + place);
      store<u32>(lane + DISTANCES + (<usize>count << 2), distance);
      const counted = lane + HISTOGRAM + (<usize>distance << 2);
      store<u32>(counted, load<u32>(counted) + 1);
      count++;
      if (count == 2 * MAX_CANDIDATES || (count >= 4 * wanted && (count & 255) == 0)) {
        const bound = barOf(lane, wanted);
        count = keepBelow(lane, count, bound, wanted);
        bar = bound - 1;
      }
    }
  }
  return count > wanted ? keepBelow(lane, count, barOf(lane, wanted), wanted) : count;
}

/** Counts the signs in which each vector of a block differs from the query. */
function compareSigns(block: usize, lane: usize, bytes: usize): void {
  let signs = block;
  for (let place: usize = 0; place < BLOCK_SLOTS; place++) {
    let sum: u64 = 0;
    let query = lane + QUERY_SIGNS;
    for (const end = signs + bytes; signs < end; signs += 16, query += 16)
      sum += popcnt(load<u64>(signs) ^ load<u64>(query)) + popcnt(load<u64>(signs, 8) ^ load<u64>(query, 8));
    store<u16>(lane + COMPARED + (place << 1), <u16>sum);
  }
}

/** `compareSigns` for 48 bytes of signs (257 to 384 components), with the query in registers. */
function compare48(block: usize, lane: usize): void {
  const a = load<u64>(lane + QUERY_SIGNS);
  const b = load<u64>(lane + QUERY_SIGNS, 8);
  const c = load<u64>(lane + QUERY_SIGNS, 16);
  const d = load<u64>(lane + QUERY_SIGNS, 24);
  const e = load<u64>(lane + QUERY_SIGNS, 32);
  const f = load<u64>(lane + QUERY_SIGNS, 40);
  let target = lane + COMPARED;
  for (let signs = block, end = block + 48 * BLOCK_SLOTS; signs < end; signs += 48, target += 2) {
    const first = popcnt(load<u64>(signs) ^ a) + popcnt(load<u64>(signs, 8) ^ b) + popcnt(load<u64>(signs, 16) ^ c);
    const second = popcnt(load<u64>(signs, 24) ^ d) + popcnt(load<u64>(signs, 32) ^ e) + popcnt(load<u64>(signs, 40) ^ f);
    store<u16>(target, <u16>(first + second));
  }
}

/** Whether one of eight distances is below a bar of at most 65,535. */
// @ts-expect-error: decorator
@inline
function isAnyBelow(distances: usize, bar: u32): bool {
  return v128.any_true(i16x8.lt_u(v128.load(distances), i16x8.splat(<i16>bar)));
}

/** The least distance below or at which there are enough candidates, plus one. */
function barOf(lane: usize, wanted: u32): u32 {
  let distance: u32 = 0;
  let sum: u32 = 0;
  while (sum < wanted) {
    sum += load<u32>(lane + HISTOGRAM + (<usize>distance << 2));
    distance++;
  }
  return distance;
}

/** Keeps the candidates below a distance; of those at the largest distance, only as many as are wanted in all. */
function keepBelow(lane: usize, count: u32, bar: u32, wanted: u32): u32 {
  let closer: u32 = 0;
  for (let distance: u32 = 0; distance + 1 < bar; distance++) closer += load<u32>(lane + HISTOGRAM + (<usize>distance << 2));
  let last = wanted - closer;
  let kept: u32 = 0;
  for (let at: u32 = 0; at < count; at++) {
    const distance = load<u32>(lane + DISTANCES + (<usize>at << 2));
    if (distance >= bar) continue;
    if (distance + 1 == bar) {
      if (last == 0) continue;
      last--;
    }
    store<u32>(lane + CANDIDATES + (<usize>kept << 2), load<u32>(lane + CANDIDATES + (<usize>at << 2)));
    store<u32>(lane + DISTANCES + (<usize>kept << 2), distance);
    kept++;
  }
  recount(lane, kept);
  return kept;
}

function recount(lane: usize, count: u32): void {
  memory.fill(lane + HISTOGRAM, 0, (<usize>load<u32>(DIMENSIONS) + 32) << 2);
  for (let at: u32 = 0; at < count; at++) {
    const counted = lane + HISTOGRAM + (<usize>load<u32>(lane + DISTANCES + (<usize>at << 2)) << 2);
    store<u32>(counted, load<u32>(counted) + 1);
  }
}

/** Finds the most similar of the candidates by their rows. Returns how many hits are in the lane's heap. */
export function rescore(laneIndex: u32, candidates: u32, limit: u32): u32 {
  const lane = laneAt(laneIndex);
  let size: u32 = 0;
  for (let at: u32 = 0; at < candidates; at++) {
    const slot = load<u32>(lane + CANDIDATES + (<usize>at << 2));
    const score = scoreOf(lane, slot);
    if (score > worst(lane + SCORES, size, limit)) size = offer(lane + SCORES, lane + HITS, size, limit, score, slot);
  }
  return size;
}

/** The similarity of a vector whose row is in memory. */
export function scoreOf(lane: usize, slot: u32): f64 {
  const bytes = rowBytes();
  const block = blockOf(slot);
  const place = within(slot);
  const sum = product(lane, block + rowsAt() + place * bytes, bytes);
  return similarity(lane, sum, load<u32>(block + normsAt() + (place << 2)));
}

// @ts-expect-error: decorator
@inline
function isWanted(lane: usize, block: usize, place: usize): bool {
  if (load<f64>(block + idsAt() + (place << 3)) == NOTHING) return false;
  return meets(lane, load<f64>(block + valuesAt() + (place << 3)), load<u32>(block + labelsAt() + (place << 2)));
}
