import { limits } from '@recollect/contract/limits';
import { parseUrl } from '@recollect/contract/text';
import { draw, toImage } from '../pictures/encode.js';
import type { Image } from '../pictures/pictures.js';

const { favicon: most } = limits.pictures;
/** The side of a redrawn icon, and the largest side at which an icon is kept unchanged, in pixels. */
const SIDE = { drawn: 32, kept: 64 };
const KEPT = ['image/png', 'image/webp', 'image/x-icon', 'image/vnd.microsoft.icon'];

/**
 * The icon of a page, from the browser's cache. Null if the page has none, or one of another site, which would have to be asked for
 * it.
 */
export async function readFavicon(document: Document, iconUrl: string | null): Promise<Image | null> {
  const address = iconUrl ?? document.querySelector<HTMLLinkElement>('link[rel~="icon"]')?.href ?? '';
  const url = parseUrl(address);
  if (url === null) return null;
  const { protocol, origin } = url;
  if (protocol !== 'data:' && origin !== document.location.origin) return null;
  const blob = await (await fetch(address, { cache: 'force-cache' })).blob();
  const image = new Image();
  image.src = URL.createObjectURL(blob);
  try {
    await image.decode();
    // An SVG may have no size of its own.
    const { naturalWidth: width = SIDE.drawn, naturalHeight: height = SIDE.drawn } = image;
    if (KEPT.includes(blob.type) && blob.size <= most.bytes && Math.max(width, height) <= SIDE.kept)
      return await toImage(blob);
    const canvas = draw(
      image,
      { x: 0, y: 0, width: width || SIDE.drawn, height: height || SIDE.drawn },
      SIDE.drawn,
      SIDE.drawn,
    );
    for (const type of ['image/png', 'image/webp']) {
      const drawn = await canvas.convertToBlob({ type });
      if (drawn.size <= most.bytes) return await toImage(drawn);
    }
    return null;
  } finally {
    URL.revokeObjectURL(image.src);
  }
}
