import { allocate } from '../allocate';
import { FREE_PIECES } from './layout';

// Pieces of memory whose sizes are powers of two, from 8 bytes. A list that grows gives its piece back.

// @ts-expect-error: decorator
@inline
function freeAt(bytes: u32): usize {
  return FREE_PIECES + (<usize>ctz(bytes) << 2);
}

/** Takes a piece of a power of two of bytes. Returns 0 without room. */
export function take(bytes: u32): usize {
  const free: usize = load<u32>(freeAt(bytes));
  if (free == 0) return allocate(bytes);
  store<u32>(freeAt(bytes), load<u32>(free));
  return free;
}

/** Gives a piece back. */
export function give(piece: usize, bytes: u32): void {
  store<u32>(piece, load<u32>(freeAt(bytes)));
  store<u32>(freeAt(bytes), <u32>piece);
}

/**
 * Makes room for one more entry of a list whose room is the least power of two that its entries need. Returns the
 * address of the list, or 0 without room.
 */
export function grow(list: usize, entries: u32, entryBytes: u32): usize {
  if ((entries & (entries - 1)) != 0) return list;
  if (entries == 0) return take(entryBytes);
  const grown = take(entries * 2 * entryBytes);
  if (grown == 0) return 0;
  memory.copy(grown, list, entries * entryBytes);
  give(list, entries * entryBytes);
  return grown;
}
