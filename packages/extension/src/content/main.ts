import type { PictureOptions, Pictures } from '../pictures/pictures.js';
import type { Reading, ReadOptions } from '../reading.js';
import { readFavicon } from './read-favicon.js';
import { readLeadImage } from './read-lead-image.js';
import { readPage } from './read-page.js';
import { readPdf } from './read-pdf.js';

declare global {
  /** Called by the popup, in the isolated world that the page's own scripts cannot reach. */
  var recollectReadPage: (options: ReadOptions) => Promise<Reading>;
  var recollectReadPictures: (options: PictureOptions) => Promise<Pictures>;
}

globalThis.recollectReadPage = async (options) => {
  const reading = readPage(document, options);
  if (reading.problem !== 'pdf') return reading;
  const found = await readPdf(reading.url);
  return 'pdf' in found ? { ...reading, pdf: found.pdf, smart: 'page', problem: null } : { ...reading, ...found };
};
globalThis.recollectReadPictures = async ({ iconUrl }) => {
  const [picture, favicon] = await Promise.all([
    readLeadImage(document).catch(() => null),
    readFavicon(document, iconUrl).catch(() => null),
  ]);
  return { picture, favicon };
};
