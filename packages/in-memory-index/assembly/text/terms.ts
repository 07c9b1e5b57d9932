import { allocate, waste } from '../allocate';
import { laneAt, TERM_BITS, TERM_BLOCKS, TERM_DIRECTORY, TERM_MASK, TERM_TABLE, TERMS, TEXT } from './layout';

// A block of terms has columns: hashes, first bytes, addresses of texts, numbers of postings, the addresses of the tail
// and of the records of blocks, and the last slot and the bytes of the tail.

// @ts-expect-error: decorator
@inline
function columnAt(term: u32, column: u32): usize {
  const block: usize = load<u32>(TERM_DIRECTORY + (<usize>(term >> TERM_BITS) << 2));
  return block + ((<usize>column << TERM_BITS) << 2) + (<usize>(term & ((1 << TERM_BITS) - 1)) << 2);
}

const COLUMNS: u32 = 8;

// @ts-expect-error: decorator
@inline
function hashAt(term: u32): usize {
  return columnAt(term, 0);
}

/** The first four bytes, as a number that sorts like them. */
// @ts-expect-error: decorator
@inline
function firstAt(term: u32): usize {
  return columnAt(term, 1);
}

// @ts-expect-error: decorator
@inline
function textAt(term: u32): usize {
  return columnAt(term, 2);
}

// @ts-expect-error: decorator
@inline
export function countAt(term: u32): usize {
  return columnAt(term, 3);
}

// @ts-expect-error: decorator
@inline
export function tailAt(term: u32): usize {
  return columnAt(term, 4);
}

// @ts-expect-error: decorator
@inline
export function recordsAt(term: u32): usize {
  return columnAt(term, 5);
}

// @ts-expect-error: decorator
@inline
export function lastAt(term: u32): usize {
  return columnAt(term, 6);
}

// @ts-expect-error: decorator
@inline
export function tailBytesAt(term: u32): usize {
  return columnAt(term, 7);
}

/** The term of the bytes in a lane. Returns -1 if there is none, and -2 without room for it. */
export function termOf(lane: u32, bytes: u32, mayAdd: bool): i32 {
  const text = laneAt(lane) + TEXT;
  const hash = hashOf(text, bytes);
  const mask = load<u32>(TERM_MASK);
  const table: usize = load<u32>(TERM_TABLE);
  let position = hash & mask;
  let entry = load<u32>(table + (<usize>position << 2));
  while (entry != 0) {
    if (load<u32>(hashAt(entry - 1)) == hash && isText(entry - 1, text, bytes)) return <i32>(entry - 1);
    position = (position + 1) & mask;
    entry = load<u32>(table + (<usize>position << 2));
  }
  return mayAdd ? add(text, bytes, hash) : -1;
}

/** Writes the terms that begin with the bytes in a lane, at most so many. Returns how many there are. */
export function termsFrom(lane: u32, bytes: u32, target: usize, limit: u32): u32 {
  const text = laneAt(lane) + TEXT;
  const shift: u32 = bytes >= 4 ? 0 : (4 - bytes) << 3;
  const first = firstOf(text, min(bytes, 4)) >> shift;
  const terms = load<u32>(TERMS);
  let found: u32 = 0;
  for (let term: u32 = 0; term < terms; term++) {
    if (load<u32>(firstAt(term)) >> shift != first) continue;
    const own: usize = load<u32>(textAt(term));
    if (load<u32>(own) < bytes || memory.compare(own + 4, text, bytes) != 0) continue;
    if (found < limit) store<u32>(target + (<usize>found << 2), term);
    found++;
  }
  return found;
}

function add(text: usize, bytes: u32, hash: u32): i32 {
  const term = load<u32>(TERMS);
  if ((term + 1) * 3 > (load<u32>(TERM_MASK) + 1) * 2 && !growTable()) return -2;
  if ((term & ((1 << TERM_BITS) - 1)) == 0 && !addBlock(term >> TERM_BITS)) return -2;
  const copy = allocate(<usize>bytes + 4);
  if (copy == 0) return -2;
  store<u32>(copy, bytes);
  memory.copy(copy + 4, text, bytes);
  store<u32>(hashAt(term), hash);
  store<u32>(firstAt(term), firstOf(text, min(bytes, 4)));
  store<u32>(textAt(term), <u32>copy);
  store<u32>(countAt(term), 0);
  store<u32>(tailAt(term), 0);
  store<u32>(recordsAt(term), 0);
  store<u32>(lastAt(term), 0xffffffff);
  store<u32>(tailBytesAt(term), 0);
  store<u32>(TERMS, term + 1);
  insert(term, hash);
  return <i32>term;
}

function addBlock(index: u32): bool {
  if (index == TERM_BLOCKS) return false;
  const block = allocate((<usize>COLUMNS << TERM_BITS) << 2);
  if (block == 0) return false;
  store<u32>(TERM_DIRECTORY + (<usize>index << 2), <u32>block);
  return true;
}

/** Allocates an empty table of a power of two of entries. An entry is a term plus one, or 0. */
export function createTermTable(size: u32): bool {
  const table = allocate(<usize>size << 2);
  if (table == 0) return false;
  memory.fill(table, 0, <usize>size << 2);
  store<u32>(TERM_TABLE, <u32>table);
  store<u32>(TERM_MASK, size - 1);
  return true;
}

function growTable(): bool {
  const size = load<u32>(TERM_MASK) + 1;
  if (!createTermTable(size * 2)) return false;
  waste(<usize>size << 2);
  const terms = load<u32>(TERMS);
  for (let term: u32 = 0; term < terms; term++) insert(term, load<u32>(hashAt(term)));
  return true;
}

function insert(term: u32, hash: u32): void {
  const table: usize = load<u32>(TERM_TABLE);
  const mask = load<u32>(TERM_MASK);
  let position = hash & mask;
  while (load<u32>(table + (<usize>position << 2)) != 0) position = (position + 1) & mask;
  store<u32>(table + (<usize>position << 2), term + 1);
}

// @ts-expect-error: decorator
@inline
function isText(term: u32, text: usize, bytes: u32): bool {
  const own: usize = load<u32>(textAt(term));
  return load<u32>(own) == bytes && memory.compare(own + 4, text, bytes) == 0;
}

function firstOf(text: usize, bytes: u32): u32 {
  let first: u32 = 0;
  for (let at: u32 = 0; at < bytes; at++) first |= (<u32>load<u8>(text + at)) << (24 - (at << 3));
  return first;
}

/** FNV-1a, mixed once more, since the table uses the lower bits. */
function hashOf(text: usize, bytes: u32): u32 {
  let hash: u32 = 0x811c9dc5;
  for (let at: usize = 0; at < bytes; at++) hash = (hash ^ load<u8>(text + at)) * 0x01000193;
  hash ^= hash >> 15;
  hash *= 0x85ebca6b;
  return hash ^ (hash >> 13);
}
