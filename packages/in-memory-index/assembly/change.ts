import { allocate, waste } from './allocate';
import {
  BLOCK_BITS,
  BLOCK_SLOTS,
  BLOCKS,
  blockBytes,
  blockOf,
  COUNT,
  DIMENSIONS,
  DIRECTORY,
  FIRST_FREE,
  FIRST_LANE,
  FREE,
  GIVEN,
  HAS_ROWS,
  idsAt,
  LANE_BYTES,
  labelsAt,
  laneAt,
  MAX_BLOCKS,
  NOTHING,
  normsAt,
  ROW,
  rowBytes,
  rowsAt,
  SLOTS,
  signBytes,
  TOP,
  valuesAt,
  WASTE,
  within,
} from './layout';
import { sumOf } from './similarity';
import { createTable, find, insert, remove as removeEntry, reserve } from './table';

/** Makes room for the lanes. Returns whether the memory may be that large. */
export function prepare(lanes: u32): bool {
  store<u32>(TOP, <u32>FIRST_LANE);
  if (allocate(<usize>lanes * LANE_BYTES) == 0) return false;
  store<u32>(FIRST_FREE, load<u32>(TOP));
  return true;
}

/**
 * Removes everything, and begins again with vectors of other dimensions. Returns whether there is room for an empty
 * index.
 */
export function reset(dimensions: u32, hasRows: bool): bool {
  store<u32>(TOP, load<u32>(FIRST_FREE));
  store<u32>(DIMENSIONS, dimensions);
  store<u32>(HAS_ROWS, hasRows);
  store<u32>(SLOTS, 0);
  store<u32>(COUNT, 0);
  store<u32>(FREE, 0);
  store<u32>(BLOCKS, 0);
  store<u32>(WASTE, 0);
  return createTable(1024);
}

/**
 * Writes the vector whose row and labels are in the lane. Replaces the vector with the same id. Returns whether there
 * was room; without room, nothing has changed.
 */
export function put(lane: u32, id: f64, value: f64, labels: u32): bool {
  const known = find(id);
  const list = writeLabels(lane, labels);
  if (list == 0 && labels > 0) return false;
  let slot: u32;
  if (known >= 0) {
    slot = known;
    dropLabels(slot);
  } else {
    if (!reserve()) return false;
    const free = takeSlot();
    if (free < 0) return false;
    slot = free;
  }
  const block = blockOf(slot);
  const place = within(slot);
  const row = laneAt(lane) + ROW;
  const bytes = rowBytes();
  writeSigns(block + place * signBytes(), row, bytes);
  if (load<u32>(HAS_ROWS)) memory.copy(block + rowsAt() + place * bytes, row, bytes);
  store<f64>(block + valuesAt() + (place << 3), value);
  store<u32>(block + normsAt() + (place << 2), squaredLength(row, bytes));
  store<u32>(block + labelsAt() + (place << 2), <u32>list);
  store<f64>(block + idsAt() + (place << 3), id);
  if (known < 0) {
    insert(slot);
    store<u32>(COUNT, load<u32>(COUNT) + 1);
  }
  return true;
}

/**
 * Changes the value and the labels of a vector. Returns 1 if they were changed, 0 if there is no such vector, -1
 * without room.
 */
export function describe(lane: u32, id: f64, value: f64, labels: u32): i32 {
  const slot = find(id);
  if (slot < 0) return 0;
  const list = writeLabels(lane, labels);
  if (list == 0 && labels > 0) return -1;
  dropLabels(slot);
  const block = blockOf(slot);
  const place = within(slot);
  store<f64>(block + valuesAt() + (place << 3), value);
  store<u32>(block + labelsAt() + (place << 2), <u32>list);
  return 1;
}

/** Removes a vector. Returns whether there was one. */
export function remove(id: f64): bool {
  const slot = find(id);
  if (slot < 0) return false;
  removeEntry(slot);
  dropLabels(slot);
  const block = blockOf(slot);
  const place = within(slot);
  store<f64>(block + idsAt() + (place << 3), NOTHING);
  store<u32>(block + labelsAt() + (place << 2), load<u32>(FREE));
  store<u32>(FREE, slot + 1);
  store<u32>(COUNT, load<u32>(COUNT) - 1);
  return true;
}

function takeSlot(): i32 {
  const free = load<u32>(FREE);
  if (free != 0) {
    const slot = free - 1;
    store<u32>(FREE, load<u32>(blockOf(slot) + labelsAt() + (within(slot) << 2)));
    return slot;
  }
  const slot = load<u32>(SLOTS);
  if (slot >> BLOCK_BITS == load<u32>(BLOCKS) && !addBlock()) return -1;
  store<u32>(SLOTS, slot + 1);
  return slot;
}

function addBlock(): bool {
  const blocks = load<u32>(BLOCKS);
  if (blocks == MAX_BLOCKS) return false;
  const block = allocate(blockBytes());
  if (block == 0) return false;
  store<u32>(DIRECTORY + ((<usize>blocks) << 2), <u32>block);
  for (let place: u32 = 0; place < BLOCK_SLOTS; place++) store<f64>(block + idsAt() + ((<usize>place) << 3), NOTHING);
  store<u32>(BLOCKS, blocks + 1);
  return true;
}

/** Copies the labels in the lane to a new list, which begins with their number. Returns 0 without labels or room. */
function writeLabels(lane: u32, labels: u32): usize {
  if (labels == 0) return 0;
  const list = allocate((<usize>labels + 1) << 2);
  if (list == 0) return 0;
  store<u32>(list, labels);
  memory.copy(list + 4, laneAt(lane) + GIVEN, (<usize>labels) << 2);
  return list;
}

function dropLabels(slot: u32): void {
  const list: usize = load<u32>(blockOf(slot) + labelsAt() + (within(slot) << 2));
  if (list != 0) waste((<usize>load<u32>(list) + 1) << 2);
}

function writeSigns(target: usize, row: usize, bytes: usize): void {
  memory.fill(target, 0, signBytes());
  for (let at: usize = 0; at < bytes; at += 16) store<u16>(target + (at >> 3), <u16>i8x16.bitmask(v128.load(row + at)));
}

function squaredLength(row: usize, bytes: usize): u32 {
  let sums = i32x4.splat(0);
  for (let at: usize = 0; at < bytes; at += 16) {
    const components = v128.load(row + at);
    const low = i16x8.extend_low_i8x16_s(components);
    const high = i16x8.extend_high_i8x16_s(components);
    sums = i32x4.add(sums, i32x4.add(i32x4.dot_i16x8_s(low, low), i32x4.dot_i16x8_s(high, high)));
  }
  return <u32>sumOf(sums);
}
