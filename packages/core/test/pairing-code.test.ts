import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPairingCode, parsePairingCode } from '../src/access/pairing-code.js';

test('KEY-4: a code has 12 characters of 32, and is read however it is typed', () => {
  const seen = new Set<string>();
  for (let round = 0; round < 500; round++) {
    const code = createPairingCode();
    expect(code).toMatch(/^(?:[0-9A-HJKMNP-TV-Z]{4}-){2}[0-9A-HJKMNP-TV-Z]{4}$/);
    const parsed = parsePairingCode(code);
    expect(parsed).toBe(code.replaceAll('-', ''));
    expect(parsePairingCode(code.toLowerCase().replaceAll('-', ' – '))).toBe(parsed);
    for (const character of parsed ?? '') seen.add(character);
  }
  expect(seen.size).toBe(32);
  expect(parsePairingCode('oil0 1111 OOLI')).toBe('011011110011');
});

test('KEY-4: other texts are not codes', () => {
  for (const text of ['', 'U'.repeat(12), '0'.repeat(11), '0'.repeat(13), '0000_0000_000', 'rec_00000000'])
    expect([text, parsePairingCode(text)]).toEqual([text, null]);
  fc.assert(
    fc.property(fc.string(), (text) => /^[0-9A-HJKMNP-TV-Z]{12}$/.test(parsePairingCode(text) ?? '0'.repeat(12))),
  );
});
