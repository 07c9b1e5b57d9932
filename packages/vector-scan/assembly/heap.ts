import { HITS, SCORES } from './layout';

// The best hits so far as a binary heap whose root is the worst of them.

// @ts-expect-error: decorator
@inline
function scoreAt(lane: usize, at: u32): usize {
  return lane + SCORES + (<usize>at << 3);
}

// @ts-expect-error: decorator
@inline
function hitAt(lane: usize, at: u32): usize {
  return lane + HITS + (<usize>at << 2);
}

// @ts-expect-error: decorator
@inline
function write(lane: usize, at: u32, score: f64, slot: u32): void {
  store<f64>(scoreAt(lane, at), score);
  store<u32>(hitAt(lane, at), slot);
}

/** The score that a hit must exceed to be among the best. */
// @ts-expect-error: decorator
@inline
export function worst(lane: usize, size: u32, limit: u32): f64 {
  return size < limit ? -Infinity : load<f64>(lane + SCORES);
}

/** Adds a hit; if the heap is full, it replaces the worst. Returns the new size. */
export function offer(lane: usize, size: u32, limit: u32, score: f64, slot: u32): u32 {
  if (size < limit) {
    rise(lane, size, score, slot);
    return size + 1;
  }
  sink(lane, size, score, slot);
  return size;
}

function rise(lane: usize, from: u32, score: f64, slot: u32): void {
  let at = from;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    const above = load<f64>(scoreAt(lane, parent));
    if (above <= score) break;
    write(lane, at, above, load<u32>(hitAt(lane, parent)));
    at = parent;
  }
  write(lane, at, score, slot);
}

function sink(lane: usize, size: u32, score: f64, slot: u32): void {
  let at: u32 = 0;
  for (;;) {
    let child: u32 = 2 * at + 1;
    if (child >= size) break;
    let below = load<f64>(scoreAt(lane, child));
    if (child + 1 < size) {
      const other = load<f64>(scoreAt(lane, child + 1));
      if (other < below) {
        below = other;
        child++;
      }
    }
    if (below >= score) break;
    write(lane, at, below, load<u32>(hitAt(lane, child)));
    at = child;
  }
  write(lane, at, score, slot);
}
