/** The types of pictures that are stored. Never SVG, which can contain scripts. */
type PictureType = 'image/webp' | 'image/png' | 'image/jpeg' | 'image/x-icon';

/** The facts in the first bytes of an image. */
export interface ImageHeader {
  type: PictureType;
  width: number;
  height: number;
}

/**
 * Reads type and size from the first bytes of an image; its file name does not matter. Null for anything else.
 *
 * @example
 * readImage(new TextEncoder().encode('no image')); // null
 */
export function readImage(bytes: Uint8Array): ImageHeader | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (const [type, read] of READERS) {
    try {
      const size = read(view);
      if (size === null) continue;
      const [width, height] = size;
      return width > 0 && height > 0 ? { type, width, height } : null;
    } catch (error) {
      // The image ends before its header does.
      if (error instanceof RangeError) return null;
      throw error;
    }
  }
  return null;
}

type Size = readonly [width: number, height: number];

const READERS: readonly [PictureType, (view: DataView) => Size | null][] = [
  ['image/png', readPng],
  ['image/jpeg', readJpeg],
  ['image/webp', readWebp],
  ['image/x-icon', readIcon],
];

function readPng(view: DataView): Size | null {
  if (view.getUint32(0) !== 0x89504e47 || view.getUint32(4) !== 0x0d0a1a0a) return null;
  return textAt(view, 12) === 'IHDR' ? [view.getUint32(16), view.getUint32(20)] : null;
}

/** Finds the frame header behind segments of any length. */
function readJpeg(view: DataView): Size | null {
  if (view.getUint16(0) !== 0xffd8) return null;
  for (let at = 2; ; ) {
    if (view.getUint8(at) !== 0xff) return null;
    const marker = view.getUint8(at + 1);
    // C4, C8 and CC are tables and extensions among the frame headers.
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return [view.getUint16(at + 7), view.getUint16(at + 5)];
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2);
  }
}

function readWebp(view: DataView): Size | null {
  if (textAt(view, 0) !== 'RIFF' || textAt(view, 8) !== 'WEBP') return null;
  const kind = textAt(view, 12);
  if (kind === 'VP8 ') return [view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff];
  if (kind === 'VP8L') {
    const bits = view.getUint32(21, true);
    return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
  }
  if (kind !== 'VP8X') return null;
  return [(view.getUint32(24, true) & 0xffffff) + 1, (view.getUint32(26, true) >>> 8) + 1];
}

/** The first image of an icon: 0 means 256. */
function readIcon(view: DataView): Size | null {
  if (view.getUint32(0, true) !== 0x00010000 || view.getUint16(4, true) === 0) return null;
  return [view.getUint8(6) || 256, view.getUint8(7) || 256];
}

function textAt(view: DataView, at: number): string {
  return String.fromCharCode(...[0, 1, 2, 3].map((offset) => view.getUint8(at + offset)));
}
