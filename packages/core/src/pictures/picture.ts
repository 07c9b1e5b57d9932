import type { ImageHeader } from './read-image.js';

/** `favicon` is that of a memory's site, `picture` its own. */
export type PictureKind = 'picture' | 'favicon';

/** An image as it is stored: once, however many memories have it. */
export interface Picture extends ImageHeader {
  /** SHA-256 of the bytes, hexadecimal. */
  hash: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** The pictures of a capture. */
export type Pictures = Readonly<Partial<Record<PictureKind, Picture>>>;
