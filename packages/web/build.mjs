import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'vite';

const outDir = 'dist/app';

/** Requests the styles before the scripts: the first paint waits only for them. */
function putStylesFirst(html) {
  const styles = html.match(/ *<link rel="stylesheet"[^>]*>\n/)?.[0];
  if (styles === undefined) throw new Error('index.html has no styles.');
  return html.replace(styles, '').replace(/ *<title>/, (title) => styles + title);
}

/** Requests the typeface of the interface with the styles, so that the first paint has it. */
function preloadTypeface(html, { bundle }) {
  const file = Object.keys(bundle).find((name) => /\/inter-latin-wght-normal-[\w-]+\.woff2$/.test(name));
  if (file === undefined) throw new Error('The styles have no typeface.');
  return html.replace(
    / *<link rel="icon"/,
    (link) => `    <link rel="preload" href="/${file}" as="font" type="font/woff2" crossorigin>\n${link}`,
  );
}

/**
 * Puts the code that the first page needs into one file: many small ones compress to more bytes.
 * @param {string} id
 * @param {{ getModuleInfo(id: string): { isEntry: boolean; importers: readonly string[] } | null }} context
 */
function firstPage(id, context) {
  const isFirst = (/** @type {string} */ module, seen = new Set()) => {
    if (seen.has(module)) return false;
    seen.add(module);
    const info = context.getModuleInfo(module);
    return info !== null && (info.isEntry || info.importers.some((importer) => isFirst(importer, seen)));
  };
  return isFirst(id) ? 'first' : null;
}

await build({
  configFile: false,
  logLevel: 'warn',
  root: 'src/app',
  publicDir: '../../public',
  base: '/',
  // Files find each other by their own address, and the page's addresses get the base path from the server.
  experimental: {
    renderBuiltUrl: (filename, { hostType }) => (hostType === 'html' ? `/${filename}` : { relative: true }),
  },
  plugins: [
    { name: 'styles-first', transformIndexHtml: { order: 'post', handler: putStylesFirst } },
    { name: 'preload-typeface', transformIndexHtml: { order: 'post', handler: preloadTypeface } },
  ],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: join(process.cwd(), outDir),
    emptyOutDir: true,
    target: ['chrome123', 'firefox128', 'safari17.5'],
    // An inlined file would need `data:` in the policy of scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: [{ debugName: 'first', name: firstPage }] } } },
  },
});

// The server sends these instead of compressing on each request.
const folder = join(outDir, 'assets');
for (const name of await readdir(folder)) {
  if (!/\.(?:js|css|svg)$/.test(name)) continue;
  const content = await readFile(join(folder, name));
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  await writeFile(join(folder, `${name}.br`), brotliCompressSync(content, { params }));
  await writeFile(join(folder, `${name}.gz`), gzipSync(content, { level: 9 }));
}

// The page names its files, whose names are made from their content.
const page = await readFile(join(outDir, 'index.html'), 'utf8');
const files = ['/', ...new Set(page.match(/\/assets\/[\w.-]+\.(?:js|css|svg|woff2)/g))];
const version = createHash('sha256').update(page).digest('hex').slice(0, 12);
const worker = await readFile('src/service-worker.js', 'utf8');
await writeFile(
  join(outDir, 'service-worker.js'),
  worker.replace('%VERSION%', version).replace("'%FILES%'", files.map((file) => `'${file}'`).join(', ')),
);
