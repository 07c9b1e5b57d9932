const SIZES = [64, 32, 16, 8, 4, 2, 1] as const;

/**
 * Cuts a list of rows into blocks of 64 and of smaller powers of two. Every number of rows makes another statement,
 * which stays prepared: with blocks there are only seven of them, and each statement waits for the thread of the
 * connection.
 */
export function* blocksOf<T>(rows: readonly T[]): Generator<T[]> {
  let at = 0;
  for (const size of SIZES) {
    for (; at + size <= rows.length; at += size) yield rows.slice(at, at + size);
  }
}
