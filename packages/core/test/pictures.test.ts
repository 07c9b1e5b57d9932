import { readImage } from '@recollect/contract/read-image';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readPictures, toImage } from '../src/pictures/read-pictures.js';

/** Each of 5 × 3 pixels, as Chromium writes it. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAUAAAADCAYAAABbNsX4AAAAIUlEQVR4AWzIsQkAAAwCwWCbFV3RGbUXH745POUeN5oYAAAA//9BasjqAAAABklEQVQDABnkCmZrpifgAAAAAElFTkSuQmCC';
const JPEG =
  '/9j/4AAQSkZJRgABAQAAAQABAAD/4gHYSUNDX1BST0ZJTEUAAQEAAAHIAAAAAAQwAABtbnRyUkdCIFhZWiAH4AABAAEAAAAAAABhY3NwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQAA9tYAAQAAAADTLQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAlkZXNjAAAA8AAAACRyWFlaAAABFAAAABRnWFlaAAABKAAAABRiWFlaAAABPAAAABR3dHB0AAABUAAAABRyVFJDAAABZAAAAChnVFJDAAABZAAAAChiVFJDAAABZAAAAChjcHJ0AAABjAAAADxtbHVjAAAAAAAAAAEAAAAMZW5VUwAAAAgAAAAcAHMAUgBHAEJYWVogAAAAAAAAb6IAADj1AAADkFhZWiAAAAAAAABimQAAt4UAABjaWFlaIAAAAAAAACSgAAAPhAAAts9YWVogAAAAAAAA9tYAAQAAAADTLXBhcmEAAAAAAAQAAAACZmYAAPKnAAANWQAAE9AAAApbAAAAAAAAAABtbHVjAAAAAAAAAAEAAAAMZW5VUwAAACAAAAAcAEcAbwBvAGcAbABlACAASQBuAGMALgAgADIAMAAxADb/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19iZ2hnPk1xeXBkeFxlZ2P/2wBDARESEhgVGC8aGi9jQjhCY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2P/wAARCAADAAUDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAX/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFAEBAAAAAAAAAAAAAAAAAAAABf/EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAMAwEAAhEDEQA/AIoBkS//2Q==';
const WEBP =
  'UklGRhgCAABXRUJQVlA4WAoAAAAgAAAABAAAAgAASUNDUMgBAAAAAAHIAAAAAAQwAABtbnRyUkdCIFhZWiAH4AABAAEAAAAAAABhY3NwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQAA9tYAAQAAAADTLQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAlkZXNjAAAA8AAAACRyWFlaAAABFAAAABRnWFlaAAABKAAAABRiWFlaAAABPAAAABR3dHB0AAABUAAAABRyVFJDAAABZAAAAChnVFJDAAABZAAAAChiVFJDAAABZAAAAChjcHJ0AAABjAAAADxtbHVjAAAAAAAAAAEAAAAMZW5VUwAAAAgAAAAcAHMAUgBHAEJYWVogAAAAAAAAb6IAADj1AAADkFhZWiAAAAAAAABimQAAt4UAABjaWFlaIAAAAAAAACSgAAAPhAAAts9YWVogAAAAAAAA9tYAAQAAAADTLXBhcmEAAAAAAAQAAAACZmYAAPKnAAANWQAAE9AAAApbAAAAAAAAAABtbHVjAAAAAAAAAAEAAAAMZW5VUwAAACAAAAAcAEcAbwBvAGcAbABlACAASQBuAGMALgAgADIAMAAxADZWUDggKgAAAJABAJ0BKgUAAwACwEwloAJ0ugADmAD+7kMf/iHOILajsU/8Buvi2XwAAA==';
const LOSSLESS =
  'UklGRgACAABXRUJQVlA4WAoAAAAgAAAABAAAAgAASUNDUMgBAAAAAAHIAAAAAAQwAABtbnRyUkdCIFhZWiAH4AABAAEAAAAAAABhY3NwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQAA9tYAAQAAAADTLQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAlkZXNjAAAA8AAAACRyWFlaAAABFAAAABRnWFlaAAABKAAAABRiWFlaAAABPAAAABR3dHB0AAABUAAAABRyVFJDAAABZAAAAChnVFJDAAABZAAAAChiVFJDAAABZAAAAChjcHJ0AAABjAAAADxtbHVjAAAAAAAAAAEAAAAMZW5VUwAAAAgAAAAcAHMAUgBHAEJYWVogAAAAAAAAb6IAADj1AAADkFhZWiAAAAAAAABimQAAt4UAABjaWFlaIAAAAAAAACSgAAAPhAAAts9YWVogAAAAAAAA9tYAAQAAAADTLXBhcmEAAAAAAAQAAAACZmYAAPKnAAANWQAAE9AAAApbAAAAAAAAAABtbHVjAAAAAAAAAAEAAAAMZW5VUwAAACAAAAAcAEcAbwBvAGcAbABlACAASQBuAGMALgAgADIAMAAxADZWUDhMEQAAAC8EgAAAB1CuLrS1/4GI6H8AAA==';

const bytesOf = (data: string) => Uint8Array.from(Buffer.from(data, 'base64'));
const image = (bytes: Uint8Array) => toImage({ type: 'image/png', bytes });

/** A WebP file of its pixels alone, without colour profile. */
function withoutProfile(webp: Uint8Array, kind: string): Uint8Array {
  const at = Buffer.from(webp).indexOf(kind);
  const chunk = webp.slice(at);
  const header = Buffer.from('RIFF????WEBP');
  header.writeUInt32LE(chunk.length + 4, 4);
  return Uint8Array.from([...header, ...chunk]);
}

/** A PNG file that ends after its size. */
function pngOf(width: number, height: number, length = 33): Uint8Array {
  const bytes = Buffer.alloc(length);
  bytes.set(bytesOf(PNG).slice(0, 33));
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return Uint8Array.from(bytes);
}

describe('IMG-1: the header of an image', () => {
  const icon = Uint8Array.from([0, 0, 1, 0, 1, 0, 32, 0, 0, 0, 1, 0, 32, 0]);
  test.each([
    ['PNG', bytesOf(PNG), { type: 'image/png', width: 5, height: 3 }],
    ['JPEG', bytesOf(JPEG), { type: 'image/jpeg', width: 5, height: 3 }],
    ['WebP with a profile', bytesOf(WEBP), { type: 'image/webp', width: 5, height: 3 }],
    ['WebP', withoutProfile(bytesOf(WEBP), 'VP8 '), { type: 'image/webp', width: 5, height: 3 }],
    ['lossless WebP', withoutProfile(bytesOf(LOSSLESS), 'VP8L'), { type: 'image/webp', width: 5, height: 3 }],
    ['ICO', icon, { type: 'image/x-icon', width: 32, height: 256 }],
  ])('%s', (_, bytes, header) => {
    expect(readImage(bytes)).toEqual(header);
  });

  test('is null for anything else', () => {
    for (const text of ['', 'x', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'GIF89a', 'RIFF????WAVEfmt ', 'BM'])
      expect(readImage(new TextEncoder().encode(text))).toBeNull();
    expect(readImage(pngOf(0, 3))).toBeNull();
  });

  test('never fails or hangs on any bytes', () => {
    const begin = fc.constantFrom(...[PNG, JPEG, WEBP, LOSSLESS].map(bytesOf));
    fc.assert(
      fc.property(begin, fc.nat(600), fc.uint8Array({ maxLength: 40 }), (bytes, at, other) => {
        readImage(Uint8Array.from([...bytes.slice(0, at), ...other]));
      }),
    );
  });
});

describe('IMG-1: the pictures of a capture', () => {
  test('are read with their hashes; the bytes decide the type', async () => {
    const given = { type: 'text/html', data: WEBP };
    const { pictures, problems } = await readPictures({ picture: given, favicon: image(bytesOf(PNG)) });
    expect(problems).toEqual([]);
    expect(pictures).toMatchObject({
      picture: { type: 'image/webp', width: 5, height: 3, hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
      favicon: { type: 'image/png' },
    });
    expect(await readPictures({ picture: null })).toEqual({ pictures: {}, problems: [] });
  });

  test.each([
    ['no Base64', { type: 'image/png', data: '%%%' }, 'its data is not valid Base64'],
    [
      'a script',
      image(new TextEncoder().encode('<svg onload="alert(1)"/>')),
      'it is not a WebP, PNG, JPEG or ICO image',
    ],
    ['too many bytes', image(pngOf(5, 3, 24 * 1024 + 1)), 'it has 24,577 bytes, and at most 24,576 are allowed'],
    [
      'far too many bytes',
      { type: '', data: 'A'.repeat(80_000) },
      'it has 60,000 bytes, and at most 24,576 are allowed',
    ],
    ['too many pixels', image(pngOf(481, 3)), 'it has 481 × 3 pixels, and at most 480 × 960 are allowed'],
    ['nothing', { type: '', data: '' }, 'it is not a WebP, PNG, JPEG or ICO image'],
  ])('%s is left out, with the reason', async (_, picture, reason) => {
    const favicon = image(bytesOf(PNG));
    const read = await readPictures({ picture, favicon });
    expect(read.problems).toEqual([`The picture was ignored: ${reason}.`]);
    expect(Object.keys(read.pictures)).toEqual(['favicon']);
  });
});
