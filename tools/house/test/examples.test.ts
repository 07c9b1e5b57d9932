import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { exportedNames, readExamples, toModule } from '../src/read-examples.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
/** Inside the workspace, so that the compiler finds its libraries. */
const folder = join(root, 'node_modules', '.cache', 'examples');
const from = relative(root, folder).replaceAll('\\', '/');

/** Where a module is compiled to, if it is: its declarations take the compiler a fraction of the time of its source. */
const compiled = (file: string) => {
  const path = file.replace('/src/', '/dist/');
  return existsSync(join(root, `${path}.d.ts`)) ? path : file;
};
const of = (file: string, name: string) => `import('${'../'.repeat(3)}${compiled(file)}.js').${name}`;
const typeOf = (file: string, name: string) => `typeof ${of(file, name)}`;
/** Names that examples use without declaring them. Names of type `any` are only passed on. */
const context: Record<string, string> = {
  // Values that other modules make, or export.
  storage: of('packages/storage/src/open-storage', 'Storage'),
  core: of('packages/core/src/create-core', 'Core'),
  embeddingModel: of('packages/core/src/ports/models', 'EmbeddingModel'),
  client: of('packages/contract/src/client', 'Client'),
  systemClock: typeOf('packages/core/src/ports/system', 'systemClock'),
  openStorage: typeOf('packages/storage/src/open-storage', 'openStorage'),
  openLocalModel: typeOf('packages/embeddings/src/index', 'openLocalModel'),
  openLocalReranker: typeOf('packages/embeddings/src/index', 'openLocalReranker'),
  minilm: typeOf('packages/models/src/minilm', 'minilm'),
  multilingual: typeOf('packages/models/src/multilingual', 'multilingual'),
  reranker: typeOf('packages/models/src/reranker', 'reranker'),
  createCore: typeOf('packages/core/src/create-core', 'createCore'),
  chunkSizesFor: typeOf('packages/core/src/chunking/chunk-text', 'chunkSizesFor'),
  embedChunks: typeOf('packages/core/src/indexing/embed-chunks', 'embedChunks'),
  parseParts: typeOf('packages/contract/src/query-syntax/parse-parts', 'parseParts'),
  quantise: typeOf('packages/in-memory-index/src/index', 'quantise'),
  createSharedVectors: typeOf('packages/in-memory-index/src/index', 'createSharedVectors'),
  createSharedTexts: typeOf('packages/in-memory-index/src/index', 'createSharedTexts'),
  CaptureBody: typeOf('packages/contract/src/capture', 'CaptureBody'),
  LOCAL_USER: typeOf('packages/core/src/memory', 'LOCAL_USER'),
  createReadStream: "typeof import('node:fs').createReadStream",
  createWriteStream: "typeof import('node:fs').createWriteStream",
  sql: "typeof import('../../../packages/storage/node_modules/kysely').sql",
  // Plain values.
  id: 'string',
  userId: 'string',
  text: 'string',
  path: 'string',
  folder: 'string',
  dataFolder: 'string',
  version: 'string',
  ids: 'string[]',
  captures: 'unknown[]',
  vector: 'Float32Array',
  tokens: 'Float32Array<ArrayBuffer>',
  queryTokens: 'Float32Array',
  passageTokens: 'any',
  signal: 'AbortSignal',
  stopping: 'AbortSignal',
  countTokens: '(text: string) => number',
  ...Object.fromEntries(
    (
      'memory query state remove chunks write test save rename reload rebuild reader readYaml ports pipeline model ' +
      'logger log isIn known error describe counts copy call body tags'
    )
      .split(' ')
      .map((name) => [name, 'any']),
  ),
};

/** The context of a plugin. */
const ofPlugin: Record<string, string> = Object.fromEntries(
  ['memory', 'state', 'logger'].map((name) => [
    name,
    `${of('packages/plugin-runtime/src/context', 'PluginContext')}['${name}']`,
  ]),
);

const configuration = {
  extends: '../../../tsconfig.base.json',
  compilerOptions: {
    composite: false,
    noEmit: true,
    declaration: false,
    declarationMap: false,
    sourceMap: false,
    tsBuildInfoFile: null,
    module: 'ESNext',
    moduleResolution: 'Bundler',
    lib: ['ES2024', 'DOM', 'DOM.Iterable'],
    types: ['node'],
    jsx: 'react-jsx',
    jsxImportSource: 'preact',
    paths: { 'preact/*': ['../../../packages/ui/node_modules/preact/*'] },
    verbatimModuleSyntax: false,
    noUnusedLocals: false,
    noUnusedParameters: false,
  },
  include: ['*.tsx'],
};

test('every @example compiles against what it documents', async () => {
  const byModule = Map.groupBy(readExamples(root), ({ path }) => path);
  expect(byModule.size).toBeGreaterThan(50);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(configuration));
  let number = 0;
  for (const [path, examples] of byModule) {
    const exported = exportedNames(await readFile(join(root, path), 'utf8'));
    await writeFile(
      join(folder, `example-${++number}.tsx`),
      toModule(examples, exported, {
        from,
        module: compiled(path.replace(/\.tsx?$/, '')),
        context: path.startsWith('packages/plugin-runtime/') ? { ...context, ...ofPlugin } : context,
      }),
    );
  }
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const said = await new Promise<string>((resolve) =>
    execFile(process.execPath, [compiler, '-p', folder, '--pretty', 'false'], { maxBuffer: 1e8 }, (_, out, err) =>
      resolve(out + err),
    ),
  );
  // Of the modules that the examples import, only the examples are checked here.
  const faults = said.split('\n').filter((line) => line.includes('example-'));
  expect(faults).toEqual([]);
});
