// The best hits so far as a binary heap whose root is the worst of them: scores, and beside them slots. Of equal scores,
// the lower slot is better.

// @ts-expect-error: decorator
@inline
function isBelow(score: f64, slot: u32, otherScore: f64, otherSlot: u32): bool {
  return score < otherScore || (score == otherScore && slot > otherSlot);
}

// @ts-expect-error: decorator
@inline
function scoreAt(scores: usize, at: u32): f64 {
  return load<f64>(scores + (<usize>at << 3));
}

// @ts-expect-error: decorator
@inline
function slotAt(slots: usize, at: u32): u32 {
  return load<u32>(slots + (<usize>at << 2));
}

// @ts-expect-error: decorator
@inline
function write(scores: usize, slots: usize, at: u32, score: f64, slot: u32): void {
  store<f64>(scores + (<usize>at << 3), score);
  store<u32>(slots + (<usize>at << 2), slot);
}

/** The score that a hit must exceed to be among the best; a hit with a lower slot than all others may equal it. */
// @ts-expect-error: decorator
@inline
export function worst(scores: usize, size: u32, limit: u32): f64 {
  return size < limit ? -Infinity : load<f64>(scores);
}

/** Adds a hit; if the heap is full, it replaces the worst, unless it is below that one. Returns the new size. */
export function offer(scores: usize, slots: usize, size: u32, limit: u32, score: f64, slot: u32): u32 {
  if (size < limit) {
    rise(scores, slots, size, score, slot);
    return size + 1;
  }
  if (limit > 0 && isBelow(scoreAt(scores, 0), slotAt(slots, 0), score, slot)) sink(scores, slots, size, score, slot);
  return size;
}

function rise(scores: usize, slots: usize, from: u32, score: f64, slot: u32): void {
  let at = from;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    const above = scoreAt(scores, parent);
    const aboveSlot = slotAt(slots, parent);
    if (!isBelow(score, slot, above, aboveSlot)) break;
    write(scores, slots, at, above, aboveSlot);
    at = parent;
  }
  write(scores, slots, at, score, slot);
}

function sink(scores: usize, slots: usize, size: u32, score: f64, slot: u32): void {
  let at: u32 = 0;
  for (;;) {
    let child: u32 = 2 * at + 1;
    if (child >= size) break;
    if (
      child + 1 < size &&
      isBelow(scoreAt(scores, child + 1), slotAt(slots, child + 1), scoreAt(scores, child), slotAt(slots, child))
    )
      child++;
    const below = scoreAt(scores, child);
    const belowSlot = slotAt(slots, child);
    if (!isBelow(below, belowSlot, score, slot)) break;
    write(scores, slots, at, below, belowSlot);
    at = child;
  }
  write(scores, slots, at, score, slot);
}
