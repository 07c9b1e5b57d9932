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
  plugins: [{ name: 'styles-first', transformIndexHtml: { order: 'post', handler: putStylesFirst } }],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: join(process.cwd(), outDir),
    emptyOutDir: true,
    target: ['chrome123', 'firefox128', 'safari17.5'],
    // An inlined file would need `data:` in the policy of scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
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
const files = ['/', ...new Set(page.match(/\/assets\/[\w.-]+\.(?:js|css|svg)/g))];
const version = createHash('sha256').update(page).digest('hex').slice(0, 12);
const worker = await readFile('src/service-worker.js', 'utf8');
await writeFile(
  join(outDir, 'service-worker.js'),
  worker.replace('%VERSION%', version).replace("'%FILES%'", files.map((file) => `'${file}'`).join(', ')),
);
