import { limits } from '@recollect/contract/limits';
import { parseUrl } from '@recollect/contract/text';
import { draw, toImage } from '../pictures/encode.js';
import type { Image } from '../pictures/pictures.js';

const { favicon: most } = limits.pictures;
/** The side of a redrawn icon, and the largest side at which an icon is kept unchanged, in pixels. */
const SIDE = { drawn: 32, kept: 64 };
/** The share of an icon that must be opaque. A thin line across the icon is about this share. */
const LEAST = 0.03;
const KEPT = ['image/png', 'image/webp', 'image/x-icon', 'image/vnd.microsoft.icon'];

/**
 * The icon of a page, from the browser's cache. Null if the page has none, or one of another site, which would have to
 * be asked for it.
 */
export async function readFavicon(document: Document, iconUrl: string | null): Promise<Image | null> {
  const address = iconUrl ?? document.querySelector<HTMLLinkElement>('link[rel~="icon"]')?.href ?? '';
  const url = parseUrl(address);
  if (url === null) return null;
  const { protocol, origin } = url;
  if (protocol !== 'data:' && origin !== document.location.origin) return null;
  const response = await fetch(address, { cache: 'force-cache' });
  const blob = await withSize(await response.blob());
  const image = new Image();
  image.src = URL.createObjectURL(blob);
  try {
    await image.decode();
    const { naturalWidth, naturalHeight } = image;
    // Firefox reports 0 for an SVG without a size.
    const [width, height] = [naturalWidth || SIDE.drawn, naturalHeight || SIDE.drawn];
    const canvas = draw(image, { x: 0, y: 0, width, height }, SIDE.drawn, SIDE.drawn);
    if (isNearlyEmpty(canvas)) return null;
    if (KEPT.includes(blob.type) && blob.size <= most.bytes && Math.max(width, height) <= SIDE.kept)
      return await toImage(blob);
    for (const type of ['image/png', 'image/webp']) {
      const drawn = await canvas.convertToBlob({ type });
      if (drawn.size <= most.bytes) return await toImage(drawn);
    }
    return null;
  } finally {
    URL.revokeObjectURL(image.src);
  }
}

const SVG = 'image/svg+xml';

/**
 * Gives an SVG that can be scaled the size at which it is drawn, since browsers disagree on its size otherwise. Its
 * colours are those for a light page, on which icons are shown. Other images are returned unchanged.
 */
async function withSize(blob: Blob): Promise<Blob> {
  if (blob.type.split(';', 1)[0] !== SVG) return blob;
  const text = (await blob.text())
    .replace(/prefers-color-scheme\s*:\s*dark/gi, 'max-width: 0')
    .replace(/prefers-color-scheme\s*:\s*light/gi, 'min-width: 0');
  const { documentElement: root } = new DOMParser().parseFromString(text, SVG);
  const hasSize = [root.getAttribute('width'), root.getAttribute('height')].every((side) => LENGTH.test(side ?? ''));
  if (root.hasAttribute('viewBox') || !hasSize)
    for (const side of ['width', 'height']) root.setAttribute(side, `${SIDE.drawn}`);
  return new Blob([new XMLSerializer().serializeToString(root)], { type: SVG });
}

/** A length that does not depend on where the image is shown. */
const LENGTH = /^\s*[\d.]+(?:px|pt|pc|mm|cm|in|em)?\s*$/;

/** Whether an icon would be shown as a speck, or not at all. */
function isNearlyEmpty(canvas: OffscreenCanvas): boolean {
  const { width, height } = canvas;
  const pixels = canvas.getContext('2d')?.getImageData(0, 0, width, height).data ?? [];
  let opacity = 0;
  for (let at = 3; at < pixels.length; at += 4) opacity += (pixels[at] ?? 0) / 255;
  return opacity < LEAST * width * height;
}
