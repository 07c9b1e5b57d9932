import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { findLibraries, isBundled, isNeeded, targets } from '../src/libraries.mjs';
import { collectLicences } from '../src/licences.mjs';
import { createManifest } from '../src/manifest.mjs';
import { createLibraryManifest } from '../src/pack-library.mjs';
import { placeOf } from '../src/programs.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/[\\/]$/, '');
const libraries = findLibraries(root);
const folderOf = (name: string) => libraries.find((library) => library.name === name)?.folder ?? '';

/** The files of a library that are needed on a system, with their bytes. */
function neededFiles(name: string, system: string): Map<string, number> {
  const [os = '', cpu = ''] = system.split('-');
  const files = readdirSync(folderOf(name), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const paths = files.map((file) => file.slice(folderOf(name).length + 1).replaceAll('\\', '/'));
  const needed = paths.filter((path) => !path.includes('node_modules/') && isNeeded(name, path, { os, cpu }));
  return new Map(needed.map((path) => [path, statSync(join(folderOf(name), path)).size]));
}

test('CLI-7: the manifest contains its libraries, fetches nothing and names its system', () => {
  const manifest = createManifest({
    version: '1.2.3',
    description: 'A memory.',
    node: '>=22.18',
    target: { os: 'linux', cpu: 'x64' },
    libraries: [{ name: 'better-sqlite3', version: '13.2.0' }],
  });
  expect(manifest).toMatchObject({
    name: 'recollect',
    version: '1.2.3',
    os: ['linux'],
    cpu: ['x64'],
    libc: ['glibc'],
    engines: { node: '>=22.18' },
    bin: { recollect: 'apps/cli/dist/bundle/main.js' },
    dependencies: { 'better-sqlite3': '13.2.0' },
    bundleDependencies: ['better-sqlite3'],
  });
  expect(manifest).not.toHaveProperty('scripts');
});

test.each(targets)('CLI-7: a package has the native parts of its system only: %s', (system) => {
  const [os = '', cpu = ''] = system.split('-');
  const binaries = [...neededFiles('better-sqlite3', system).keys()].filter((path) => path.endsWith('.node'));
  expect(binaries).toEqual([`prebuilds/${system}.node`]);
  const runtime = [...neededFiles('onnxruntime-node', system).keys()].filter((path) => path.startsWith('bin/'));
  expect(runtime.length).toBeGreaterThan(1);
  expect(runtime.filter((path) => !path.startsWith(`bin/napi-v6/${os}/${cpu}/`))).toEqual([]);
});

test('CLI-7: no sources of SQLite and no second build of PDF.js are packed', () => {
  const sqlite = [...neededFiles('better-sqlite3', 'linux-x64').keys()];
  expect(sqlite.filter((path) => /^(?:deps|src)\//.test(path))).toEqual([]);
  expect(sqlite).toContain('lib/index.js');
  const pdf = neededFiles('pdfjs-dist', 'linux-x64');
  expect([...pdf.keys()].filter((path) => path.endsWith('.mjs')).sort()).toEqual([
    'legacy/build/pdf.mjs',
    'legacy/build/pdf.worker.mjs',
  ]);
  expect([...pdf.values()].reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(8_000_000);
});

test('the libraries that stay apart come with what they depend on, and without install scripts’ libraries', () => {
  const names = libraries.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['better-sqlite3', 'onnxruntime-common', 'sonic-boom', 'is-wsl']));
  expect(names).not.toContain('adm-zip');
  expect(names).not.toContain('fastify');
  expect([isBundled('fastify'), isBundled('pino')]).toEqual([true, false]);
});

test('a file keeps its path, and a library is at the top', () => {
  expect(placeOf(root, join(root, 'packages/storage/dist/index.js'))).toBe('packages/storage/dist/index.js');
  const path = join(root, 'node_modules/.pnpm/open@11.0.4/node_modules/open/index.js');
  expect(placeOf(root, path)).toBe('node_modules/open/index.js');
});

test('CLI-9: a library names the versions of the packages that it needs, and has no scripts', () => {
  expect(
    createLibraryManifest({
      name: '@recollect/core',
      version: '1.2.3',
      private: true,
      exports: { '.': './dist/index.js' },
      scripts: { build: 'tsc -b' },
      dependencies: { '@recollect/contract': 'workspace:*', typebox: '1.4.3' },
      devDependencies: { vite: '8.3.8' },
    }),
  ).toEqual({
    name: '@recollect/core',
    version: '1.2.3',
    exports: { '.': './dist/index.js' },
    dependencies: { '@recollect/contract': '1.2.3', typebox: '1.4.3' },
  });
});

test('CLI-7: the licence of each library and model is known', () => {
  const page = collectLicences(root);
  for (const name of ['fastify', 'preact', 'highlight.js', 'onnxruntime-node', 'sqlite-vec'])
    expect(page).toMatch(new RegExp(`^## ${name} \\d`, 'm'));
  expect(page).toContain('## the model in packages/models/multilingual');
  // Used to build or to test, and not in the package.
  for (const name of ['vite', 'typescript', 'rolldown']) expect(page).not.toMatch(new RegExp(`^## ${name} `, 'm'));
});
