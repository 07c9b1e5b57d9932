/**
 * A UUIDv7 (RFC 9562): sorts by creation time, so new rows go to the end of every index. Ids of the same instant
 * sort by their sequence number, 0 to 4095.
 *
 * @example
 * const now = new Date();
 * const ids = captures.map((_, position) => createId(now, position)); // sorted in this order
 */
export function createId(now: Date, sequence = 0): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const time = now.getTime();
  for (let at = 0; at < 6; at++) bytes[at] = Math.floor(time / 2 ** (8 * (5 - at))) % 256;
  bytes[6] = 0x70 | (sequence >> 8);
  bytes[7] = sequence & 0xff;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
