import { crc32 } from 'node:zlib';
import { createApiKey, formatApiKey, isApiKey } from '@recollect/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';

const secret = fc.uint8Array({ minLength: 32, maxLength: 32 });
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

test('KEY-1: every key has the documented format and is recognised', () => {
  fc.assert(
    fc.property(secret, (bytes) => {
      const key = formatApiKey(bytes);
      expect(key).toMatch(/^rec_[0-9A-Za-z]{43}[0-9A-Za-z]{6}$/);
      expect(isApiKey(key)).toBe(true);
    }),
  );
  for (const byte of [0, 255]) expect(isApiKey(formatApiKey(new Uint8Array(32).fill(byte)))).toBe(true);
});

test('KEY-1: different secrets give different keys', () => {
  fc.assert(
    fc.property(secret, secret, (one, other) => {
      expect(formatApiKey(one) === formatApiKey(other)).toBe(one.every((byte, at) => byte === other[at]));
    }),
  );
});

test('KEY-1: rejects a key with one character changed, dropped or added', () => {
  fc.assert(
    fc.property(secret, fc.nat(52), fc.constantFrom(...ALPHABET), (bytes, at, character) => {
      const key = formatApiKey(bytes);
      const changed = key.slice(0, at) + character + key.slice(at + 1);
      expect(isApiKey(changed)).toBe(changed === key);
      expect(isApiKey(key.slice(0, at) + key.slice(at + 1))).toBe(false);
      expect(isApiKey(key.slice(0, at) + character + key.slice(at))).toBe(false);
    }),
  );
});

test('KEY-1: rejects any other text', () => {
  fc.assert(fc.property(fc.string(), (text) => void expect(isApiKey(text)).toBe(false)));
  fc.assert(fc.property(fc.stringMatching(/^rec_[0-9A-Za-z]{49}$/), (text) => void expect(isApiKey(text)).toBe(false)));
});

test('SEC-8: the checksum is the standard CRC-32 of the text before it', () => {
  const key = formatApiKey(new Uint8Array(32));
  expect(key.slice(0, 47)).toBe(`rec_${'0'.repeat(43)}`);
  const checksum = [...key.slice(47)].reduce((sum, digit) => sum * 62 + ALPHABET.indexOf(digit), 0);
  expect(checksum).toBe(crc32(Buffer.from(key.slice(0, 47))));
});

test('SEC-8: never creates the same key twice', () => {
  expect(new Set(Array.from({ length: 1_000 }, createApiKey)).size).toBe(1_000);
});
