import { crc32 } from './crc32.js';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const MARK = 'rec_';
/** 62^43 is a little over 2^256, and 62^6 over 2^32. */
const LENGTHS = { secret: 43, checksum: 6, prefix: MARK.length + 8 };
const KEY = /^rec_[0-9A-Za-z]{49}$/;

/**
 * A new key: `rec_`, 256 random bits in base 62, and a CRC-32 that tells a mistyped or shortened key from a wrong one
 * without asking the store. The shape is that of GitHub's tokens, so that scanners for leaked secrets can know it.
 */
export function createApiKey(): string {
  return formatApiKey(crypto.getRandomValues(new Uint8Array(32)));
}

/** The key of 32 given bytes. */
export function formatApiKey(secret: Uint8Array): string {
  const number = secret.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  const body = MARK + toBase62(number, LENGTHS.secret);
  return body + checksumOf(body);
}

/** Whether a text has the form of a key and its checksum is right. */
export function isApiKey(text: string): boolean {
  const end = text.length - LENGTHS.checksum;
  return KEY.test(text) && text.slice(end) === checksumOf(text.slice(0, end));
}

/** The beginning of a key, which may be shown: 48 of its 256 bits. */
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
