const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte;
  for (let bit = 0; bit < 8; bit++) remainder = remainder & 1 ? (remainder >>> 1) ^ 0xedb88320 : remainder >>> 1;
  return remainder;
});

/** CRC-32 (ISO 3309, as in ZIP and PNG) of an ASCII text, as an unsigned number. */
function crc32(text: string): number {
  let checksum = 0xffffffff;
  for (let at = 0; at < text.length; at++) {
    checksum = (checksum >>> 8) ^ (TABLE[(checksum ^ text.charCodeAt(at)) & 0xff] ?? 0);
  }
  return (checksum ^ 0xffffffff) >>> 0;
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const MARK = 'rec_';
/** 62^43 is slightly more than 2^256, and 62^6 more than 2^32. */
const LENGTHS = { secret: 43, checksum: 6, prefix: MARK.length + 8 };
const KEY = /^rec_[0-9A-Za-z]{49}$/;

/**
 * Creates a key: `rec_`, 256 random bits in base 62, and a CRC-32 that detects a mistyped or truncated key without a
 * lookup. The format follows GitHub's tokens, so that scanners for leaked secrets can recognise it.
 *
 * @example
 * const key = createApiKey(); // 'rec_' and 49 more characters
 * isApiKey(key); // true
 * isApiKey(key.slice(0, -1)); // false
 */
export function createApiKey(): string {
  return formatApiKey(crypto.getRandomValues(new Uint8Array(32)));
}

/** Formats a secret of 32 bytes as a key. */
export function formatApiKey(secret: Uint8Array): string {
  const number = secret.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  const body = MARK + toBase62(number, LENGTHS.secret);
  return body + checksumOf(body);
}

/** Whether a text has the format of a key and a correct checksum. */
export function isApiKey(text: string): boolean {
  const end = text.length - LENGTHS.checksum;
  return KEY.test(text) && text.slice(end) === checksumOf(text.slice(0, end));
}

/** The beginning of a key, safe to show: it reveals about 48 of 256 bits. */
export function prefixOf(key: string): string {
  return key.slice(0, LENGTHS.prefix);
}

function checksumOf(body: string): string {
  return toBase62(BigInt(crc32(body)), LENGTHS.checksum);
}

function toBase62(number: bigint, length: number): string {
  let digits = '';
  for (let rest = number; digits.length < length; rest /= 62n) digits = ALPHABET[Number(rest % 62n)] + digits;
  return digits;
}
