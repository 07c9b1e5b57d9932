import { parseUrl } from '@recollect/contract/text';
import { encodePicture, type Part } from '../pictures/encode.js';
import type { Image } from '../pictures/pictures.js';

/** Pixels that an image has at least. Smaller ones are icons, avatars and spacers. */
const SMALLEST = { width: 200, height: 120 };
/** Width by height. Others are banners and rules. */
const SHAPE = { narrowest: 0.4, widest: 4 };
/** The height that is kept of a tall image, as a share of its width. */
const TALLEST = 1;
/** Images that are tried: many pages load all of theirs from another site. */
const TRIES = 5;
const CONTENT = 'main, article, [role="main"]';
const AROUND = 'nav, footer, aside, header nav, [role="navigation"], [role="complementary"]';

/**
 * The image that represents a page: the image that the page names, or else the largest in its content. Takes only
 * images that the page has loaded and may read, so nothing is requested. Null if there is none.
 */
export async function readLeadImage(document: Document): Promise<Image | null> {
  const named = namedImages(document);
  const rank = (image: HTMLImageElement) =>
    (named.has(image.currentSrc) ? 2 : 0) + (image.closest(CONTENT) === null ? 0 : 1);
  const images = [...document.images]
    .filter(isPicture)
    .sort((a, b) => rank(b) - rank(a) || areaOf(b) - areaOf(a))
    .slice(0, TRIES);
  for (const image of images) {
    // A SecurityError: the image is of another site, which does not let this page read it.
    const encoded = await encodePicture(image, partOf(image)).catch(() => null);
    if (encoded !== null) return encoded;
  }
  return null;
}

function namedImages(document: Document): Set<string> {
  const metas = document.querySelectorAll<HTMLMetaElement>(
    'meta[property="og:image"], meta[property="og:image:secure_url"], meta[name="twitter:image"]',
  );
  return new Set([...metas].flatMap(({ content }) => parseUrl(content, document.baseURI)?.href ?? []));
}

function isPicture(image: HTMLImageElement): boolean {
  const { complete, naturalWidth: width, naturalHeight: height } = image;
  if (!complete || width < SMALLEST.width || height < SMALLEST.height) return false;
  const shape = width / height;
  return shape >= SHAPE.narrowest && shape <= SHAPE.widest && areaOf(image) > 0 && image.closest(AROUND) === null;
}

/** The area in which the page shows it; 0 if it is hidden. */
function areaOf(image: HTMLImageElement): number {
  const { width, height } = image.getBoundingClientRect();
  return image.checkVisibility() ? width * height : 0;
}

function partOf({ naturalWidth: width, naturalHeight: height }: HTMLImageElement): Part {
  return { x: 0, y: 0, width, height: Math.min(height, Math.round(width * TALLEST)) };
}
