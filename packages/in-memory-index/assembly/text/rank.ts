import { offer } from '../heap';
import { COUNT } from '../layout';
import { placeOfCandidate } from './candidates';
import { lengthOf } from './documents';
import {
  BEST,
  BEST_SCORES,
  CANDIDATE_COUNT,
  CANDIDATE_SCORES,
  CANDIDATES,
  laneAt,
  SLOTS_READ,
  TOKENS,
  UNITED,
  UNITED_WEIGHTS,
  WANTED_SCORE,
  WEIGHTS_READ,
} from './layout';
import { blocksOf, readBlock } from './postings';

// BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009), computed in the order
// of SQLite's FTS5, so that the scores are the same.

const K1: f64 = 1.2;
const B: f64 = 0.75;

/** Adds what a term contributes to the scores of the candidates. @param rarity its inverse document frequency */
export function score(lane: u32, term: u32, rarity: f64): void {
  const own = laneAt(lane);
  const average = load<f64>(TOKENS) / <f64>load<u32>(COUNT);
  const blocks = blocksOf(term);
  for (let block: u32 = 0; block < blocks; block++) {
    const count = readBlock(term, block, own + SLOTS_READ);
    scoreSome(own, own + SLOTS_READ, own + WEIGHTS_READ, count, rarity, average);
  }
}

/** Adds what a union contributes to the scores of the candidates. */
export function scoreUnited(lane: u32, from: u32, count: u32, rarity: f64): void {
  const own = laneAt(lane);
  const average = load<f64>(TOKENS) / <f64>load<u32>(COUNT);
  const at = <usize>from << 2;
  scoreSome(own, own + UNITED + at, own + UNITED_WEIGHTS + at, count, rarity, average);
}

function scoreSome(own: usize, slots: usize, weights: usize, count: u32, rarity: f64, average: f64): void {
  for (let at: usize = 0; at < count; at++) {
    const slot = load<u32>(slots + (at << 2));
    const place = placeOfCandidate(own, slot);
    if (place < 0) continue;
    const weight = <f64>load<u32>(weights + (at << 2));
    const sum = own + CANDIDATE_SCORES + (<usize>place << 3);
    const length = <f64>lengthOf(slot);
    store<f64>(
      sum,
      load<f64>(sum) + rarity * ((weight * (K1 + 1)) / (weight + K1 * (1 - B + (B * length) / average))),
    );
  }
}

/**
 * Puts the best candidates with a score into the heap of the lane, without those whose scores are wanted. Returns how
 * many.
 */
export function best(lane: u32, limit: u32): u32 {
  const own = laneAt(lane);
  const count = load<u32>(own + CANDIDATE_COUNT);
  let size: u32 = 0;
  for (let at: usize = 0; at < count; at++) {
    const slot = load<u32>(own + CANDIDATES + (at << 2));
    const score = load<f64>(own + CANDIDATE_SCORES + (at << 3));
    if ((slot & WANTED_SCORE) != 0 || score <= 0) continue;
    size = offer(own + BEST_SCORES, own + BEST, size, limit, score, slot);
  }
  return size;
}
