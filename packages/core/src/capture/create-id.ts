import { toHex } from './hex.js';

/**
 * A UUIDv7 (RFC 9562): sorts by creation time, so new rows go to the end of every index. Ids of the same instant
 * sort by their sequence number, 0 to 4095.
 *
 * @example
 * const now = new Date();
 * const ids = captures.map((_, position) => createId(now, position)); // sorted in this order
 */
export function createId(now: Date, sequence = 0): string {
  const bytes = randomBytes();
  const time = now.getTime();
  for (let at = 0; at < 6; at++) bytes[at] = Math.floor(time / 2 ** (8 * (5 - at))) % 256;
  bytes[6] = 0x70 | (sequence >> 8);
  bytes[7] = sequence & 0xff;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = toHex(bytes);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Random bytes for many ids, because asking the system for those of each one takes longer than the rest of an id. */
const pool = new Uint8Array(4_096);
let used = pool.length;

/** The next sixteen random bytes of the pool, each of which is used once. */
function randomBytes(): Uint8Array {
  if (used === pool.length) {
    crypto.getRandomValues(pool);
    used = 0;
  }
  used += 16;
  return pool.slice(used - 16, used);
}
