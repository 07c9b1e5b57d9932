import { toHex } from './bytes.js';

/**
 * A UUIDv7 (RFC 9562): sorts by creation time, so new rows go to the end of every index. Ids of the same millisecond
 * sort by their sequence number, 0 to 4095, and then in the order in which this process made them (section 6.2, method
 * 1).
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
  made += 1;
  bytes[8] = 0x80 | ((made >>> 24) & 0x3f);
  bytes[9] = made >>> 16;
  bytes[10] = made >>> 8;
  bytes[11] = made;
  const hex = toHex(bytes);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/**
 * Counts the ids of this process. It begins at a random number, so that no other process uses the same ones in one
 * millisecond.
 */
let made = (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) >>> 3;

/** Random bytes for many ids, because a system call for each id takes longer than the rest of the work. */
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
