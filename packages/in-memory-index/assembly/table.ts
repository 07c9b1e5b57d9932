import { allocate, waste } from './allocate';
import { idOf, TABLE, TABLE_MASK, TABLE_USED } from './layout';

// Finds the slot of an id: open addressing with linear probing. An entry is a slot plus one, 0 if it is empty, or
// DELETED.

const DELETED: u32 = 0xffffffff;

// @ts-expect-error: decorator
@inline
function hash(id: f64): u32 {
  let bits = reinterpret<u64>(id);
  bits = (bits ^ (bits >> 32)) * 0x9e3779b97f4a7c15;
  return <u32>(bits >> 32);
}

// @ts-expect-error: decorator
@inline
function entryAt(position: u32): usize {
  return <usize>load<u32>(TABLE) + (<usize>position << 2);
}

/** The slot of an id, or -1. */
export function find(id: f64): i32 {
  const mask = load<u32>(TABLE_MASK);
  let position = hash(id) & mask;
  let entry = load<u32>(entryAt(position));
  while (entry != 0) {
    if (entry != DELETED && idOf(entry - 1) == id) return <i32>(entry - 1);
    position = (position + 1) & mask;
    entry = load<u32>(entryAt(position));
  }
  return -1;
}

/** Makes room for one more entry. Returns whether there is room. */
export function reserve(): bool {
  const mask = load<u32>(TABLE_MASK);
  if ((load<u32>(TABLE_USED) + 1) * 3 <= (mask + 1) * 2) return true;
  const former: usize = load<u32>(TABLE);
  let live: u32 = 0;
  for (let position: u32 = 0; position <= mask; position++) {
    const entry = load<u32>(former + (<usize>position << 2));
    if (entry != 0 && entry != DELETED) live++;
  }
  let size = mask + 1;
  while (live * 2 >= size) size <<= 1;
  if (!createTable(size)) return false;
  for (let position: u32 = 0; position <= mask; position++) {
    const entry = load<u32>(former + (<usize>position << 2));
    if (entry != 0 && entry != DELETED) insert(entry - 1);
  }
  waste((<usize>mask + 1) << 2);
  return true;
}

/** Allocates an empty table of a power of two of entries. */
export function createTable(size: u32): bool {
  const address = allocate(<usize>size << 2);
  if (address == 0) return false;
  memory.fill(address, 0, <usize>size << 2);
  store<u32>(TABLE, <u32>address);
  store<u32>(TABLE_MASK, size - 1);
  store<u32>(TABLE_USED, 0);
  return true;
}

/** Adds a slot by its id, which must not be in the table. */
export function insert(slot: u32): void {
  const mask = load<u32>(TABLE_MASK);
  let position = hash(idOf(slot)) & mask;
  while (load<u32>(entryAt(position)) != 0) position = (position + 1) & mask;
  store<u32>(entryAt(position), slot + 1);
  store<u32>(TABLE_USED, load<u32>(TABLE_USED) + 1);
}

/** Removes a slot by its id, which must be in the table. */
export function remove(slot: u32): void {
  const mask = load<u32>(TABLE_MASK);
  let position = hash(idOf(slot)) & mask;
  while (load<u32>(entryAt(position)) != slot + 1) position = (position + 1) & mask;
  store<u32>(entryAt(position), DELETED);
}
