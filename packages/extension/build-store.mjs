import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createStoreArchive } from './dist/archive/index.js';

/** Writes the extension for the Chrome Web Store and addons.mozilla.org. The package must be built before. */
const folder = new URL('dist/store/', import.meta.url);
const { version } = JSON.parse(await readFile(new URL('package.json', import.meta.url), 'utf8'));
await mkdir(folder, { recursive: true });
for (const browser of ['chromium', 'firefox']) {
  const file = new URL(`${browser}.zip`, folder);
  await writeFile(file, await createStoreArchive({ version, browser }));
  process.stdout.write(`${file.pathname}\n`);
}
