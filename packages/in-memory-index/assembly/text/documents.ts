import { allocate } from '../allocate';
import { has } from '../filter';
import {
  BLOCK_BITS,
  BLOCK_SLOTS,
  BLOCKS,
  COUNT,
  DIMENSIONS,
  DIRECTORY,
  GIVEN,
  MAX_BLOCKS,
  NOTHING,
  SLOTS,
  TOP,
} from '../layout';
import { createTable, find, insert, remove as removeEntry, reserve } from '../table';
import {
  BEST_SCORES,
  CANDIDATE_SCORES,
  FIRST_FREE,
  FREE_PIECES,
  GENERATION,
  GIVEN_TERMS,
  GROUP,
  GROUP_BYTES,
  laneAt,
  MAX_LABEL_WORDS,
  NO_DOCUMENT,
  REMOVED,
  REMOVED_COUNT,
  TOKENS,
  UNITED,
} from './layout';
import { grow } from './pieces';
import { append } from './postings';
import { createTermTable } from './terms';

// A block of documents has columns: ids, values, lengths and labels, as a block of vectors without components, digests,
// and groups. Last is the greatest id of this block and all before it.

const VALUES: usize = 8 << BLOCK_BITS;
const LENGTHS: usize = 16 << BLOCK_BITS;
const LABELS: usize = 20 << BLOCK_BITS;
const DIGESTS: usize = 24 << BLOCK_BITS;
const GROUPS: usize = 32 << BLOCK_BITS;
const GREATEST: usize = GROUPS + (GROUP_BYTES << BLOCK_BITS);
const BLOCK_BYTES: usize = GREATEST + 8;

// @ts-expect-error: decorator
@inline
function blockOf(slot: u32): usize {
  return load<u32>(DIRECTORY + (<usize>(slot >> BLOCK_BITS) << 2));
}

// @ts-expect-error: decorator
@inline
function placeOf(slot: u32): usize {
  return slot & (BLOCK_SLOTS - 1);
}

// @ts-expect-error: decorator
@inline
export function valueOf(slot: u32): f64 {
  return load<f64>(blockOf(slot) + VALUES + (placeOf(slot) << 3));
}

// @ts-expect-error: decorator
@inline
export function lengthOf(slot: u32): u32 {
  return load<u32>(blockOf(slot) + LENGTHS + (placeOf(slot) << 2));
}

// @ts-expect-error: decorator
@inline
export function labelsOf(slot: u32): usize {
  return load<u32>(blockOf(slot) + LABELS + (placeOf(slot) << 2));
}

/** The address of a document's group. */
// @ts-expect-error: decorator
@inline
function groupOf(slot: u32): usize {
  return blockOf(slot) + GROUPS + placeOf(slot) * GROUP_BYTES;
}

/** An id that none in this slot or before it exceeds. */
// @ts-expect-error: decorator
@inline
export function greatestTo(slot: u32): f64 {
  return load<f64>(blockOf(slot) + GREATEST);
}

/** Removes everything. Returns whether there is room for an empty index. */
export function reset(): bool {
  memory.fill(DIMENSIONS, 0, FIRST_FREE_HEADER - DIMENSIONS);
  store<u32>(GENERATION, load<u32>(GENERATION) + 1);
  store<u32>(TOP, <u32>FIRST_FREE);
  return createTable(1024) && createTermTable(1024);
}

/** The end of the header. */
const FIRST_FREE_HEADER: usize = FREE_PIECES + 128;

/**
 * Adds a document. Its group, labels and weighted terms are in the lane. Replaces a document with the same id. Returns
 * whether there was room; without room, part of the document may be there.
 */
export function put(lane: u32, id: f64, value: f64, labels: u32, length: u32, digest: f64, terms: u32): bool {
  if (find(id) >= 0 && !remove(id)) return false;
  const slot = load<u32>(SLOTS);
  if (!reserve()) return false;
  if (slot >> BLOCK_BITS == load<u32>(BLOCKS) && !addBlock()) return false;
  const list = labelsFor(lane, slot, labels);
  if (list == 0 && labels > 0) return false;
  const block = blockOf(slot);
  const place = placeOf(slot);
  store<f64>(block + (place << 3), id);
  store<f64>(block + VALUES + (place << 3), value);
  store<u32>(block + LENGTHS + (place << 2), length);
  store<u32>(block + LABELS + (place << 2), <u32>list);
  store<f64>(block + DIGESTS + (place << 3), digest);
  memory.copy(groupOf(slot), laneAt(lane) + GROUP, GROUP_BYTES);
  if (id > load<f64>(block + GREATEST)) store<f64>(block + GREATEST, id);
  store<u32>(SLOTS, slot + 1);
  store<u32>(COUNT, load<u32>(COUNT) + 1);
  store<f64>(TOKENS, load<f64>(TOKENS) + length);
  insert(slot);
  const own = laneAt(lane);
  for (let at: usize = 0; at < terms; at++) {
    const given = own + GIVEN_TERMS + (at << 3);
    if (!append(own, load<u32>(given), slot, load<u32>(given, 4))) return false;
  }
  return true;
}

/**
 * Changes the value, labels and group of a document. Returns 1 if it changed them, 0 if no document has this id and
 * digest, -1 without room.
 */
export function describe(lane: u32, id: f64, value: f64, labels: u32, digest: f64): i32 {
  const slot = find(id);
  if (slot < 0 || load<f64>(blockOf(slot) + DIGESTS + (placeOf(slot) << 3)) != digest) return 0;
  const list = labelsFor(lane, slot, labels);
  if (list == 0 && labels > 0) return -1;
  store<f64>(blockOf(slot) + VALUES + (placeOf(slot) << 3), value);
  store<u32>(blockOf(slot) + LABELS + (placeOf(slot) << 2), <u32>list);
  memory.copy(groupOf(slot), laneAt(lane) + GROUP, GROUP_BYTES);
  return 1;
}

/** Removes a document; its postings stay. Returns whether there is room for that. */
export function remove(id: f64): bool {
  const slot = find(id);
  if (slot < 0) return true;
  const count = load<u32>(REMOVED_COUNT);
  const removed = grow(load<u32>(REMOVED), count, 4);
  if (removed == 0) return false;
  store<u32>(REMOVED, <u32>removed);
  store<u32>(removed + (<usize>count << 2), slot);
  store<u32>(REMOVED_COUNT, count + 1);
  removeEntry(slot);
  store<f64>(blockOf(slot) + (placeOf(slot) << 3), NOTHING);
  store<u32>(COUNT, load<u32>(COUNT) - 1);
  store<f64>(TOKENS, load<f64>(TOKENS) - lengthOf(slot));
  return true;
}

/** Writes the groups of the documents whose ids are in the lane. Writes zeros for a missing document or label. */
export function groups(lane: u32, count: u32, label: u32): void {
  const own = laneAt(lane);
  for (let at: usize = 0; at < count; at++) {
    const slot = find(load<f64>(own + CANDIDATE_SCORES + (at << 3)));
    const target = own + UNITED + at * GROUP_BYTES;
    if (slot >= 0 && has(labelsOf(slot), label)) memory.copy(target, groupOf(slot), GROUP_BYTES);
    else memory.fill(target, 0, GROUP_BYTES);
  }
}

/**
 * Writes the values and labels of the documents whose ids are in the lane. Returns for how many there was room.
 */
export function facts(lane: u32, count: u32): u32 {
  const own = laneAt(lane);
  let target = own + UNITED;
  const end = target + (<usize>MAX_LABEL_WORDS << 2);
  for (let at: usize = 0; at < count; at++) {
    const slot = find(load<f64>(own + CANDIDATE_SCORES + (at << 3)));
    const list: usize = slot < 0 ? <usize>0 : labelsOf(slot);
    const length: usize = list == 0 ? <usize>0 : <usize>load<u32>(list);
    const bytes = (length + 1) << 2;
    if (target + bytes > end) return <u32>at;
    if (list == 0) store<u32>(target, slot < 0 ? NO_DOCUMENT : 0);
    else memory.copy(target, list, bytes);
    if (slot >= 0) store<f64>(own + BEST_SCORES + (at << 3), valueOf(slot));
    target += bytes;
  }
  return count;
}

/** Whether a document has not been removed. */
// @ts-expect-error: decorator
@inline
export function isThere(slot: u32): bool {
  return load<f64>(blockOf(slot) + (placeOf(slot) << 3)) != NOTHING;
}

function addBlock(): bool {
  const blocks = load<u32>(BLOCKS);
  if (blocks == MAX_BLOCKS) return false;
  const block = allocate(BLOCK_BYTES);
  if (block == 0) return false;
  store<u32>(DIRECTORY + (<usize>blocks << 2), <u32>block);
  store<f64>(block + GREATEST, blocks == 0 ? NOTHING : greatestTo((blocks << BLOCK_BITS) - 1));
  store<u32>(BLOCKS, blocks + 1);
  return true;
}

/** The list of the labels in a lane. The chunks of a memory, which follow each other, share one. */
function labelsFor(lane: u32, slot: u32, labels: u32): usize {
  if (labels == 0) return 0;
  const given = laneAt(lane) + GIVEN;
  if (slot > 0) {
    const before = labelsOf(slot - 1);
    if (before != 0 && load<u32>(before) == labels && memory.compare(before + 4, given, <usize>labels << 2) == 0)
      return before;
  }
  const list = allocate((<usize>labels + 1) << 2);
  if (list == 0) return 0;
  store<u32>(list, labels);
  memory.copy(list + 4, given, <usize>labels << 2);
  return list;
}
