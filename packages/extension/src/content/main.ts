import type { Reading, ReadOptions } from '../reading.js';
import { readPage } from './read-page.js';

declare global {
  /** Called by the popup, in the isolated world that the page's own scripts cannot reach. */
  var recollectReadPage: (options: ReadOptions) => Reading;
}

globalThis.recollectReadPage = (options) => readPage(document, options);
