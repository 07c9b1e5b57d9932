import { fileURLToPath } from 'node:url';

/** The folder of the built web app: `index.html`, `manifest.webmanifest` and `assets/`. */
export const webFolder = fileURLToPath(new URL('../app', import.meta.url));
