import type { Image } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { readImage } from '@recollect/contract/read-image';
import { count } from '@recollect/contract/text';

const { picture: most } = limits.pictures;
/** Pixels that a browser can decode without running out of memory: four bytes for each. */
const MAX_PIXELS = 64_000_000;
/** Bytes in which the size of an image is looked for. */
const MAX_HEADER_BYTES = 1024 * 1024;
/** Lower qualities look worse than a smaller picture does. */
const QUALITIES = [0.8, 0.65, 0.5];
const SHRINK_FACTOR = 0.8;
const MIN_WIDTH_PX = 60;

/** Makes a picture of an image, within the limits of pictures. Throws an error with a sentence for the user. */
async function toPicture(image: Blob): Promise<Image> {
  const header = readImage(new Uint8Array(await image.slice(0, MAX_HEADER_BYTES).arrayBuffer()));
  if (header === null) throw new Error('This image cannot be read. Paste a PNG, JPEG or WebP image.');
  const pixels = header.width * header.height;
  if (pixels > MAX_PIXELS)
    throw new Error(
      `This image has ${Math.round(pixels / 1_000_000)} megapixels. Paste one with at most ${MAX_PIXELS / 1_000_000}.`,
    );
  const bitmap = await createImageBitmap(image).catch(() => null);
  if (bitmap === null) throw new Error('This image is damaged.');
  try {
    return await encode(bitmap);
  } finally {
    bitmap.close();
  }
}

/**
 * Makes the picture of a note from the first file that can be one.
 *
 * @returns the picture, or null, and one message on all files that are left out; empty for none
 */
export async function choosePicture(files: readonly File[]): Promise<{ picture: Image | null; problem: string }> {
  const problems: string[] = [];
  for (const [at, file] of files.entries()) {
    const picture = await toPicture(file).catch((error: Error) => {
      problems.push(files.length === 1 ? error.message : `${file.name}: ${error.message}`);
      return null;
    });
    if (picture === null) continue;
    const left = files.length - at - 1;
    if (left > 0) problems.push(`A note has one picture, so ${count(left, 'file was', 'files were')} left out.`);
    return { picture, problem: problems.join(' ') };
  }
  return { picture: null, problem: problems.join(' ') };
}

/** The best quality and size that fit. */
async function encode(bitmap: ImageBitmap): Promise<Image> {
  const scale = Math.min(1, most.width / bitmap.width, most.height / bitmap.height);
  for (let width = Math.round(bitmap.width * scale); ; width = Math.floor(width * SHRINK_FACTOR)) {
    const height = Math.max(1, Math.round((width * bitmap.height) / bitmap.width));
    for (const quality of QUALITIES) {
      const blob = await draw(bitmap, Math.max(1, width), height, quality);
      if (blob.size <= most.bytes) return toImage(blob);
    }
    if (width < MIN_WIDTH_PX) throw new Error('This image cannot be made small enough.');
  }
}

/** WebP, or JPEG in browsers that cannot write that. */
async function draw(bitmap: ImageBitmap, width: number, height: number, quality: number): Promise<Blob> {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('This browser cannot make pictures smaller.');
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, width, height);
  const blob = await canvas.convertToBlob({ type: 'image/webp', quality });
  return blob.type === 'image/webp' ? blob : canvas.convertToBlob({ type: 'image/jpeg', quality });
}

async function toImage(blob: Blob): Promise<Image> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  return { type: blob.type, data: btoa(String.fromCharCode(...bytes)) };
}
