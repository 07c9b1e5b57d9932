// The memory is a header, a directory of blocks, one lane per thread, and then blocks, label lists and hash tables in
// the order in which they were allocated. Vectors are never moved, so growth copies none.

// The first word is the lock, which JavaScript owns.
export const TOP: usize = 16;
export const DIMENSIONS: usize = 20;
export const HAS_ROWS: usize = 24;
/** Slots that were ever used. */
export const SLOTS: usize = 28;
/** Slots in use. */
export const COUNT: usize = 32;
/** The first free slot below SLOTS, plus one; each free slot's `labels` is the next one. */
export const FREE: usize = 36;
export const BLOCKS: usize = 40;
export const TABLE: usize = 44;
export const TABLE_MASK: usize = 48;
/** Entries of the table that are not empty, including those that were deleted. */
export const TABLE_USED: usize = 52;
/** Wasted bytes: of label lists and tables to which nothing points. */
export const WASTE: usize = 56;
/** Where the lanes end. */
export const FIRST_FREE: usize = 60;

/** The addresses of the blocks. */
export const DIRECTORY: usize = 1024;
export const MAX_BLOCKS: u32 = 16384;
export const FIRST_LANE: usize = DIRECTORY + (<usize>MAX_BLOCKS << 2);

/** Slots per block, as a power of two. */
export const BLOCK_BITS: u32 = 9;
export const BLOCK_SLOTS: u32 = 1 << BLOCK_BITS;

/** The id of a slot that holds nothing. */
export const NOTHING: f64 = -1;

/** Hits that one search can return. */
export const MAX_HITS: u32 = 32768;
/** Candidates that one search can rescore. */
export const MAX_CANDIDATES: u32 = 32768;
/** Labels of one vector; labels and lists of one filter. */
export const MAX_LABELS: u32 = 1024;

/** The bytes of a row of int8 components, which are padded with zeros. */
// @ts-expect-error: decorator
@inline
export function rowBytes(): usize {
  return (<usize>load<u32>(DIMENSIONS) + 15) & ~15;
}

/** The bytes of a vector's signs, one bit per component, padded for 128-bit loads. */
// @ts-expect-error: decorator
@inline
export function signBytes(): usize {
  return ((rowBytes() >> 3) + 15) & ~15;
}

// A block has columns: signs, rows, ids, values, squared lengths and labels, each of BLOCK_SLOTS entries.

// @ts-expect-error: decorator
@inline
export function rowsAt(): usize {
  return signBytes() << BLOCK_BITS;
}

// @ts-expect-error: decorator
@inline
export function idsAt(): usize {
  return rowsAt() + (load<u32>(HAS_ROWS) ? rowBytes() << BLOCK_BITS : 0);
}

// @ts-expect-error: decorator
@inline
export function valuesAt(): usize {
  return idsAt() + (8 << BLOCK_BITS);
}

// @ts-expect-error: decorator
@inline
export function normsAt(): usize {
  return valuesAt() + (8 << BLOCK_BITS);
}

// @ts-expect-error: decorator
@inline
export function labelsAt(): usize {
  return normsAt() + (4 << BLOCK_BITS);
}

export function blockBytes(): usize {
  return labelsAt() + (4 << BLOCK_BITS);
}

// @ts-expect-error: decorator
@inline
export function blockOf(slot: u32): usize {
  return load<u32>(DIRECTORY + (<usize>(slot >> BLOCK_BITS) << 2));
}

// @ts-expect-error: decorator
@inline
export function within(slot: u32): usize {
  return slot & (BLOCK_SLOTS - 1);
}

// @ts-expect-error: decorator
@inline
export function idOf(slot: u32): f64 {
  return load<f64>(blockOf(slot) + idsAt() + (within(slot) << 3));
}

// A lane is the private memory of one thread, at offsets from its address.

/** The factors of a similarity: of the product with the row, and of the row's squared length. */
export const PRODUCT_FACTOR: usize = 0;
export const NORM_FACTOR: usize = 8;
/** The bounds of the values that a filter allows, from `FROM` to before `TO`. */
export const FROM: usize = 16;
export const TO: usize = 24;
/** A list whose length has this bit contains excluded labels. */
export const NONE_OF: u32 = 0x80000000;
/** Lists of labels of which a filter demands one each, each list after its length; before them, the number of words. */
export const WANTED_COUNT: usize = 32;
export const WANTED: usize = 48;
/** Labels of a vector that is being written. */
export const GIVEN: usize = WANTED + (<usize>MAX_LABELS << 2);
/** How many vectors of each distance are candidates. */
export const HISTOGRAM: usize = GIVEN + (<usize>MAX_LABELS << 2);
/** Distances of sign bits: one more than the largest number of dimensions. */
export const MAX_DIMENSIONS: u32 = 4096;
/** Hits as a heap: scores, and then slots. */
export const SCORES: usize = HISTOGRAM + (<usize>(MAX_DIMENSIONS + 32) << 2);
export const HITS: usize = SCORES + (<usize>MAX_HITS << 3);
/** Candidates: slots, and then distances. Twice as many as are rescored, so that the best are rarely selected. */
export const CANDIDATES: usize = HITS + (<usize>MAX_HITS << 2);
export const DISTANCES: usize = CANDIDATES + (<usize>MAX_CANDIDATES << 3);
/** The query as 16-bit integers, its signs, and a row that is being written. */
export const QUERY: usize = DISTANCES + (<usize>MAX_CANDIDATES << 3);
export const QUERY_SIGNS: usize = QUERY + (<usize>MAX_DIMENSIONS << 1);
export const ROW: usize = QUERY_SIGNS + (<usize>MAX_DIMENSIONS >> 3) + 16;
/** The distances of a block's vectors, 16 bits each. */
export const COMPARED: usize = (ROW + MAX_DIMENSIONS + 15) & ~15;
export const LANE_BYTES: usize = (COMPARED + (<usize>BLOCK_SLOTS << 1) + 63) & ~63;

// @ts-expect-error: decorator
@inline
export function laneAt(lane: u32): usize {
  return FIRST_LANE + <usize>lane * LANE_BYTES;
}
