import type { PictureOptions, Pictures } from '../pictures/pictures.js';
import type { Reading, ReadOptions } from '../reading.js';
import { readFavicon } from './read-favicon.js';
import { readLeadImage } from './read-lead-image.js';
import { readPage } from './read-page.js';
import { readPdf } from './read-pdf.js';

declare global {
  /** Called by the popup, in the isolated world that the page's own scripts cannot reach. */
  var recollectReadPage: (options: ReadOptions) => Reading;
  var recollectReadPdf: typeof readPdf;
  var recollectReadPictures: (options: PictureOptions) => Promise<Pictures>;
}

globalThis.recollectReadPage = (options) => readPage(document, options);
globalThis.recollectReadPdf = readPdf;
globalThis.recollectReadPictures = async ({ iconUrl }) => {
  const [picture, favicon] = await Promise.all([
    readLeadImage(document).catch(() => null),
    readFavicon(document, iconUrl).catch(() => null),
  ]);
  return { picture, favicon };
};
