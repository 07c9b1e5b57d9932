import type { ImageHeader } from './read-image.js';

/** `favicon` belongs to a memory's site, `picture` to the memory. */
export type PictureKind = 'picture' | 'favicon';

/** A stored image. Memories share it, so each is stored once. */
export interface Picture extends ImageHeader {
  /** SHA-256 of the bytes, hexadecimal. */
  hash: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** The pictures of a capture. */
export type Pictures = Readonly<Partial<Record<PictureKind, Picture>>>;
