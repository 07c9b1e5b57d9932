import { fileURLToPath } from 'node:url';

/** A PDF of several pages. */
export const LAMPS = fileURLToPath(
  new URL('../../../packages/extraction/test/fixtures/pdf/lamps.pdf', import.meta.url),
);
