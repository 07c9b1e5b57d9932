// The memory of a text index begins like the one of vectors, whose blocks of ids, values, lengths and labels it shares:
// its documents are vectors without components. Lanes have a fixed size and number, so that the memory of one process is
// valid in another one.

import { DIRECTORY, GIVEN, MAX_BLOCKS, MAX_LABELS } from '../layout';

/** Counts how often the index was emptied or replaced. */
export const GENERATION: usize = 8;
/** Terms that were ever added. */
export const TERMS: usize = 64;
export const TERM_TABLE: usize = 68;
export const TERM_MASK: usize = 72;
/** The sum of the lengths of all documents. */
export const TOKENS: usize = 80;
/** The slots of removed documents, in the order of their removal. */
export const REMOVED: usize = 88;
export const REMOVED_COUNT: usize = 92;
export const REMOVED_ROOM: usize = 96;
/** The first free piece of each size, a power of two of bytes. Each free piece begins with the address of the next. */
export const FREE_PIECES: usize = 128;

/** The addresses of the blocks of terms. */
export const TERM_DIRECTORY: usize = DIRECTORY + (<usize>MAX_BLOCKS << 2);
export const TERM_BITS: u32 = 12;
export const TERM_BLOCKS: u32 = 4096;

export const FIRST_LANE: usize = TERM_DIRECTORY + (<usize>TERM_BLOCKS << 2);
export const LANES: u32 = 16;

// A lane, at offsets from its address. It begins with a filter and the labels of a document, as in a scan.

/** Postings in a block, and in the buffers of a lane. */
export const POSTINGS: u32 = 128;
/** Candidates of one search, and postings of the unions that it makes. */
export const MAX_CANDIDATES: u32 = 65_536;
export const MAX_UNITED: u32 = 32_768;
/** The bytes of a term, and the terms of a document. */
export const MAX_TERM_BYTES: usize = 32_768;
export const MAX_GIVEN_TERMS: u32 = 65_536;

/** A UUID shared by the documents of a group. Zeros mean no group. */
export const GROUP_BYTES: usize = 16;
/** Documents per lookup. Ids reuse the space of candidate scores; groups and labels reuse the space of unions. */
export const MAX_LOOKED_UP: u32 = MAX_UNITED / 2;
/** 32-bit words for the label lists of one lookup. The length precedes each list. */
export const MAX_LABEL_WORDS: u32 = 2 * MAX_UNITED;
/** Replaces the length for a missing document. */
export const NO_DOCUMENT: u32 = 0xffffffff;

/** A decoded block: slots and weights. */
export const SLOTS_READ: usize = GIVEN + (<usize>MAX_LABELS << 2);
export const WEIGHTS_READ: usize = SLOTS_READ + (<usize>POSTINGS << 2);
/** Another one, and the slots that are left of one. */
export const OTHER_SLOTS: usize = WEIGHTS_READ + (<usize>POSTINGS << 2);
export const OTHER_WEIGHTS: usize = OTHER_SLOTS + (<usize>POSTINGS << 2);
export const LEFT: usize = OTHER_WEIGHTS + (<usize>POSTINGS << 2);
/** Candidates: slots with a bit for those whose scores are wanted, and scores. A table finds them. */
export const CANDIDATES: usize = LEFT + (<usize>POSTINGS << 2);
export const CANDIDATE_SCORES: usize = CANDIDATES + (<usize>MAX_CANDIDATES << 2);
export const PLACES: usize = CANDIDATE_SCORES + (<usize>MAX_CANDIDATES << 3);
/** The best candidates as a heap. */
export const BEST_SCORES: usize = PLACES + (<usize>MAX_CANDIDATES << 3);
export const BEST: usize = BEST_SCORES + (<usize>MAX_CANDIDATES << 3);
/** Unions of terms: slots and weights. */
export const UNITED: usize = BEST + (<usize>MAX_CANDIDATES << 2);
export const UNITED_WEIGHTS: usize = UNITED + (<usize>MAX_UNITED << 2);
/** The bytes of a term, the terms of a document, each with its weight, or of a search. */
export const TEXT: usize = UNITED_WEIGHTS + (<usize>MAX_UNITED << 2);
export const GIVEN_TERMS: usize = TEXT + MAX_TERM_BYTES;
/** How many candidates there are, and the mask of their table. */
export const CANDIDATE_COUNT: usize = GIVEN_TERMS + (<usize>MAX_GIVEN_TERMS << 3);
export const PLACE_MASK: usize = CANDIDATE_COUNT + 4;
/** The group of a document that is being written. */
export const GROUP: usize = PLACE_MASK + 4;
export const LANE_BYTES: usize = (GROUP + GROUP_BYTES + 63) & ~63;

/** Marks a candidate whose score is wanted, wherever it ranks. */
export const WANTED_SCORE: u32 = 0x80000000;

// @ts-expect-error: decorator
@inline
export function laneAt(lane: u32): usize {
  return FIRST_LANE + <usize>lane * LANE_BYTES;
}

/** Where the lanes end. */
export const FIRST_FREE: usize = FIRST_LANE + <usize>LANES * LANE_BYTES;
