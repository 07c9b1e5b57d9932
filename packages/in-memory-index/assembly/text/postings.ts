import { allocate } from '../allocate';
import { OTHER_SLOTS, OTHER_WEIGHTS, POSTINGS } from './layout';
import { addUp, pack, unpack, widthOf } from './pack';
import { give, grow, take } from './pieces';
import { countAt, lastAt, recordsAt, tailAt, tailBytesAt } from './terms';

// The postings of a term are blocks of 128, packed, and a tail of those that do not fill a block. Slots grow, since a
// document that changes gets a new one. The record of a block: its last slot, the last slot before it, the address of
// its data, and the widths of distances and weights. The tail has, for each posting, its distance with a bit that says
// whether the weight exceeds 1 and follows, seven bits to a byte: half of all terms are in one document only.

const RECORD_BYTES: u32 = 16;
/** The least room of a tail, and the most bytes of a posting in it. */
const TAIL_ROOM: u32 = 16;
const MAX_POSTING_BYTES: u32 = 10;

// @ts-expect-error: decorator
@inline
export function recordAt(records: usize, block: u32): usize {
  return records + <usize>block * RECORD_BYTES;
}

/** Appends a posting, whose slot exceeds all others of the term. Returns whether there was room. */
export function append(lane: usize, term: u32, slot: u32, weight: u32): bool {
  if (!growTail(term)) return false;
  const tail: usize = load<u32>(tailAt(term));
  const used = load<u16>(tailBytesAt(term));
  const distance = <u64>(slot - load<u32>(lastAt(term)) - 1);
  let end = writeNumber(tail + used, (distance << 1) | <u64>(weight > 1));
  if (weight > 1) end = writeNumber(end, weight);
  store<u16>(tailBytesAt(term), <u16>(end - tail));
  store<u32>(lastAt(term), slot);
  const count = load<u32>(countAt(term)) + 1;
  if (count % POSTINGS == 0 && !addBlock(lane, term, count / POSTINGS - 1)) return false;
  store<u32>(countAt(term), count);
  return true;
}

/** Makes room for one more posting in the tail of a term, whose bytes are followed by its room. */
function growTail(term: u32): bool {
  const used: u32 = load<u16>(tailBytesAt(term));
  const room: u32 = load<u16>(tailBytesAt(term), 2);
  if (used + MAX_POSTING_BYTES <= room) return true;
  const wider = max(TAIL_ROOM, room << 1);
  const grown = take(wider);
  if (grown == 0) return false;
  if (room > 0) {
    memory.copy(grown, load<u32>(tailAt(term)), used);
    give(load<u32>(tailAt(term)), room);
  }
  store<u32>(tailAt(term), <u32>grown);
  store<u16>(tailBytesAt(term), <u16>wider, 2);
  return true;
}

function addBlock(lane: usize, term: u32, block: u32): bool {
  const records = grow(load<u32>(recordsAt(term)), block, RECORD_BYTES);
  if (records == 0) return false;
  store<u32>(recordsAt(term), <u32>records);
  const base = baseOf(records, block);
  const slots = lane + OTHER_SLOTS;
  const weights = lane + OTHER_WEIGHTS;
  readTail(term, base, POSTINGS, slots);
  let before = base;
  for (let at: usize = 0; at < 512; at += 4) {
    const slot = load<u32>(slots + at);
    store<u32>(slots + at, slot - before - 1);
    store<u32>(weights + at, load<u32>(weights + at) - 1);
    before = slot;
  }
  const slotWidth = widthOf(slots);
  const weightWidth = widthOf(weights);
  const data = allocate(<usize>(slotWidth + weightWidth) << 4);
  if (data == 0) return false;
  pack(slots, slotWidth, data);
  pack(weights, weightWidth, data + (<usize>slotWidth << 4));
  const record = recordAt(records, block);
  store<u32>(record, before);
  store<u32>(record, base, 4);
  store<u32>(record, <u32>data, 8);
  store<u32>(record, slotWidth | (weightWidth << 8), 12);
  give(load<u32>(tailAt(term)), load<u16>(tailBytesAt(term), 2));
  store<u32>(tailAt(term), 0);
  store<u32>(tailBytesAt(term), 0);
  return true;
}
/** The number of blocks of a term, with the tail. */
export function blocksOf(term: u32): u32 {
  return (load<u32>(countAt(term)) + POSTINGS - 1) / POSTINGS;
}

/** The last slot of a block. */
// @ts-expect-error: decorator
@inline
export function lastOf(term: u32, block: u32): u32 {
  if (block < load<u32>(countAt(term)) / POSTINGS) return load<u32>(recordAt(load<u32>(recordsAt(term)), block));
  return load<u32>(lastAt(term));
}

/** Reads a block of a term into the buffers of a lane, of which the weights follow the slots. Returns its postings. */
export function readBlock(term: u32, block: u32, slots: usize): u32 {
  const weights = slots + (<usize>POSTINGS << 2);
  const count = load<u32>(countAt(term));
  const records: usize = load<u32>(recordsAt(term));
  if (block == count / POSTINGS) {
    readTail(term, baseOf(records, block), count % POSTINGS, slots);
    return count % POSTINGS;
  }
  const record = recordAt(records, block);
  const data: usize = load<u32>(record, 8);
  const widths = load<u32>(record, 12);
  unpack(data, widths & 255, slots);
  addUp(slots, load<u32>(record, 4));
  unpack(data + (<usize>(widths & 255) << 4), widths >> 8, weights);
  const one = i32x4.splat(1);
  for (let at: usize = 0; at < 512; at += 16) v128.store(weights + at, i32x4.add(v128.load(weights + at), one));
  return POSTINGS;
}

/** The last slot before a block. */
function baseOf(records: usize, block: u32): u32 {
  return block == 0 ? 0xffffffff : load<u32>(recordAt(records, block - 1));
}

function readTail(term: u32, base: u32, count: u32, slots: usize): void {
  let from: usize = load<u32>(tailAt(term));
  let slot = base;
  for (const end = slots + (<usize>count << 2); slots < end; slots += 4) {
    let number = <u64>load<u8>(from++);
    if (number >= 128) {
      number &= 127;
      for (let shift: u64 = 7; ; shift += 7) {
        const byte = <u64>load<u8>(from++);
        number |= (byte & 127) << shift;
        if (byte < 128) break;
      }
    }
    slot += <u32>(number >> 1) + 1;
    let weight: u64 = 1;
    if ((number & 1) != 0) {
      weight = 0;
      for (let shift: u64 = 0; ; shift += 7) {
        const byte = <u64>load<u8>(from++);
        weight |= (byte & 127) << shift;
        if (byte < 128) break;
      }
    }
    store<u32>(slots, slot);
    store<u32>(slots + (<usize>POSTINGS << 2), <u32>weight);
  }
}

/** Writes a number, seven bits to a byte. Returns where it ends. */
function writeNumber(target: usize, number: u64): usize {
  while (number >= 128) {
    store<u8>(target++, <u8>(number | 128));
    number >>= 7;
  }
  store<u8>(target, <u8>number);
  return target + 1;
}
