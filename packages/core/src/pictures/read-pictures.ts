import type { Image } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { type ImageHeader, readImage } from '@recollect/contract/read-image';
import { decodeBase64, sha256 } from '../text/bytes.js';

/** Images as a capture or an export has them. */
type Given = { [Kind in PictureKind]?: Image | null | undefined };

const KINDS = ['picture', 'favicon'] as const satisfies PictureKind[];

/**
 * Reads the pictures of a capture. One that cannot be stored is left out and named in `problems`: no text is lost for a
 * picture.
 *
 * @example
 * await readPictures({ favicon: { type: 'image/png', data: 'x' } });
 * // { pictures: {}, problems: ['The favicon was ignored: …'] }
 */
export async function readPictures(given: Given): Promise<{ pictures: Pictures; problems: string[] }> {
  const pictures: Partial<Record<PictureKind, Picture>> = {};
  const problems: string[] = [];
  for (const kind of KINDS) {
    const image = given[kind];
    if (image == null) continue;
    const picture = await readPicture(image, kind);
    if (typeof picture === 'string') problems.push(`The ${kind} was ignored: ${picture}.`);
    else pictures[kind] = picture;
  }
  return { pictures, problems };
}

/** A picture, or why it cannot be stored. */
async function readPicture({ data }: Image, kind: PictureKind): Promise<Picture | string> {
  const most = limits.pictures[kind];
  // Four characters of Base64 are three bytes. Data that is far too long is not decoded.
  if (data.length > most.bytes * 2) return tooLarge(Math.floor((data.length / 4) * 3), most.bytes);
  const bytes = decodeBase64(data);
  if (bytes === null) return 'its data is not valid Base64';
  if (bytes.length > most.bytes) return tooLarge(bytes.length, most.bytes);
  const header = readImage(bytes);
  if (header === null) return 'it is not a WebP, PNG, JPEG or ICO image';
  if (header.width > most.width || header.height > most.height)
    return `it has ${header.width} × ${header.height} pixels, and at most ${most.width} × ${most.height} are allowed`;
  return { ...header, hash: await sha256(bytes), bytes };
}

function tooLarge(length: number, most: number): string {
  return `it has ${length.toLocaleString('en')} bytes, and at most ${most.toLocaleString('en')} are allowed`;
}

/** A stored picture as an export has it. */
export function toImage({ type, bytes }: { type: string; bytes: Uint8Array }): Image {
  return { type, data: btoa(String.fromCharCode(...bytes)) };
}

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
