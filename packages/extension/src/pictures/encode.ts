import { limits } from '@recollect/contract/limits';
import type { Image } from './pictures.js';

/** The part of an image that is drawn, in its pixels. */
export interface Part {
  x: number;
  y: number;
  width: number;
  height: number;
}

const { picture: most } = limits.pictures;
/** Lower qualities look worse than a smaller picture does. */
const QUALITIES = [0.8, 0.65, 0.5];
const SHRINK_FACTOR = 0.8;
/** A picture that would be narrower shows nothing, in pixels. */
const MIN_WIDTH_PX = 120;

/**
 * Encodes a part of an image as WebP within the limits of a picture, with the best quality and size that fit. Null if
 * none does. Throws a SecurityError for an image of another site that this page may not read.
 */
export async function encodePicture(source: CanvasImageSource, part: Part): Promise<Image | null> {
  for (let width = Math.min(most.width, part.width); width >= MIN_WIDTH_PX; width = Math.floor(width * SHRINK_FACTOR)) {
    const canvas = draw(source, part, width, Math.max(1, Math.round((width * part.height) / part.width)));
    for (const quality of QUALITIES) {
      const blob = await canvas.convertToBlob({ type: 'image/webp', quality });
      // A browser that cannot encode WebP writes PNG.
      if (blob.type !== 'image/webp') return null;
      if (blob.size <= most.bytes) return toImage(blob);
    }
  }
  return null;
}

export function draw(source: CanvasImageSource, part: Part, width: number, height: number): OffscreenCanvas {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('There is no canvas.');
  context.imageSmoothingQuality = 'high';
  context.drawImage(source, part.x, part.y, part.width, part.height, 0, 0, width, height);
  return canvas;
}

/** A blob of a few kilobytes as a capture has it. */
export async function toImage(blob: Blob): Promise<Image> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  return { type: blob.type, data: btoa(String.fromCharCode(...bytes)) };
}
