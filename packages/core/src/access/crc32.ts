const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte;
  for (let bit = 0; bit < 8; bit++) remainder = remainder & 1 ? (remainder >>> 1) ^ 0xedb88320 : remainder >>> 1;
  return remainder;
});

/** CRC-32 (ISO 3309, as in ZIP and PNG) of an ASCII text, as an unsigned number. */
export function crc32(text: string): number {
  let checksum = 0xffffffff;
  for (let at = 0; at < text.length; at++) {
    checksum = (checksum >>> 8) ^ (TABLE[(checksum ^ text.charCodeAt(at)) & 0xff] ?? 0);
  }
  return (checksum ^ 0xffffffff) >>> 0;
}
