const SIZES = [64, 8, 1] as const;

/**
 * Cuts a list of rows into blocks of 64, 8 and 1. Every number of rows makes another statement, which stays prepared: with blocks
 * there are only three of them.
 */
export function* blocksOf<T>(rows: readonly T[]): Generator<T[]> {
  let at = 0;
  for (const size of SIZES) {
    for (; at + size <= rows.length; at += size) yield rows.slice(at, at + size);
  }
}
