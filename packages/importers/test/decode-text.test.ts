import { decodeText } from '@recollect/importers/decode-text';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

describe('decodeText', () => {
  const letters = fc.string({ unit: fc.constantFrom(...'abc äöüß,.\n'), minLength: 1, maxLength: 200 });
  const mark = '\uFEFF';

  test('CLI-4: reads UTF-8 and UTF-16, with and without a byte order mark', () => {
    fc.assert(
      fc.property(letters, (text) => {
        expect(decodeText(Buffer.from(text))).toBe(text);
        expect(decodeText(Buffer.from(mark + text))).toBe(text);
        expect(decodeText(Buffer.from(mark + text, 'utf16le'))).toBe(text);
        expect(decodeText(Buffer.from(mark + text, 'utf16le').swap16())).toBe(text);
        const plain = `letters ${text}`;
        expect(decodeText(Buffer.from(plain, 'utf16le'))).toBe(plain);
        expect(decodeText(Buffer.from(plain, 'utf16le').swap16())).toBe(plain);
      }),
    );
  });

  test('CLI-4: recognises older encodings by their letters, or by the declaration of the page', () => {
    const german = 'Grüße aus München: Der Kaffee schmeckt größtenteils süß. Über Äpfel später mehr.';
    expect(decodeText(Buffer.from(german, 'latin1'))).toBe(german);
    const japanese = Buffer.from('93fa967b8cea82cc83658358836782c582b781428365835883678143', 'hex');
    expect(decodeText(japanese, 'shift_jis')).toBe('日本語のテストです。テスト，');
    expect(decodeText(Buffer.from('\u20ac as one byte: ').subarray(3), 'no-such-charset')).toBe(' as one byte: ');
  });

  test('CLI-4: reads a text that was cut within a character, one that ends as in DOS, and one of seven bits', () => {
    const whole = Buffer.from('Grüße aus Köln, später mehr. Ü');
    expect(decodeText(whole.subarray(0, whole.length - 1))).toBe('Grüße aus Köln, später mehr. ');
    expect(decodeText(Buffer.from('Ein schönes Café', 'latin1'))).toBe('Ein schönes Café');
    expect(decodeText(Buffer.from('Die Küche, das Café', 'latin1'))).toBe('Die Küche, das Café');
    expect(decodeText(Buffer.from('A text of DOS.\r\n\x1a'))).toBe('A text of DOS.\r\n');
    const japanese = Buffer.from('1b2442467c4b5c386c1b2842', 'hex');
    expect(decodeText(japanese, 'iso-2022-jp')).toBe('日本語');
  });

  test('CLI-4: reads a text with a byte order mark that was cut within a character', () => {
    const text = 'Grüße 🍵';
    const utf8 = Buffer.from(mark + text);
    expect(decodeText(utf8.subarray(0, -1))).toBe('Grüße ');
    const utf16 = Buffer.from(mark + text, 'utf16le');
    // Within a code unit, and between the two of a character.
    for (const cut of [1, 2, 3]) expect(decodeText(utf16.subarray(0, -cut))).toBe('Grüße ');
    const swapped = Buffer.from(utf16).swap16();
    for (const cut of [1, 2, 3]) expect(decodeText(swapped.subarray(0, -cut))).toBe('Grüße ');
    const plain = Buffer.from('letters and more', 'utf16le');
    expect(decodeText(plain.subarray(0, -1))).toBe('letters and mor');
  });

  test('CLI-4: is null for bytes that are not text', () => {
    expect(decodeText(Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'))).toBeNull();
    expect(decodeText(Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0]))).toBeNull();
  });
});
