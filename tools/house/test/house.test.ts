import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { readHouse } from '../src/read-house.js';
import { rules } from '../src/rules.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Checks a workspace of the given files. Returns each rule's violations by its name. */
function inspect(files: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'recollect-house-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const house = readHouse(folder);
    return Object.fromEntries(Object.entries(rules).map(([name, rule]) => [name, rule(house)]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const manifest = (name: string, exports: unknown = { '.': './dist/index.js' }) =>
  JSON.stringify({ name: `@recollect/${name}`, exports });
const sound = {
  'packages/contract/package.json': manifest('contract'),
  'packages/contract/src/index.ts': "export * from './limits.js';\n",
  'packages/contract/src/limits.ts': 'export const limits = {};\n',
  'packages/core/package.json': manifest('core'),
  'packages/core/src/index.ts':
    "import type { Capture } from '@recollect/contract';\nimport { limits } from '@recollect/contract/limits';\nexport type A = Capture;\nexport { limits };\n",
  'packages/storage/package.json': manifest('storage'),
  'packages/storage/src/index.ts':
    "import fs from 'node:fs';\nimport { limits } from '@recollect/core';\nexport { fs, limits };\n",
  'apps/cli/package.json': manifest('cli'),
  'apps/cli/src/compose/open.ts': "export { open } from '@recollect/storage';\n",
  'apps/cli/src/config.ts': 'export const home = process.env.HOME;\n',
};

describe('this repository', () => {
  const house = readHouse(root);

  test('is read: every package with sources, and the imports between them', () => {
    expect(house.manifests.map(({ folder }) => folder)).toEqual(
      expect.arrayContaining([
        'packages/contract',
        'packages/core',
        'packages/storage',
        'packages/embeddings',
        'packages/extension',
        'packages/extraction',
        'packages/models',
        'apps/server',
        'apps/cli',
        'tools/house',
        'tools/requirements',
        'tools/bootstrap',
        'tools/bench',
      ]),
    );
    expect(house.modules.length).toBeGreaterThan(100);
    expect(
      house.modules.flatMap(({ imports }) => imports).filter(({ specifier }) => specifier.startsWith('@recollect/'))
        .length,
    ).toBeGreaterThan(50);
  });

  for (const [name, rule] of Object.entries(rules)) {
    test(`follows the rule: ${name}`, () => {
      expect(rule(house)).toEqual([]);
    });
  }
});

test('SEC-12: the server and its packages make no outgoing requests', () => {
  expect(rules.fetchesNothing(readHouse(root))).toEqual([]);
});

describe('planted violations', () => {
  test('finds none in a valid workspace', () => {
    for (const [name, found] of Object.entries(inspect(sound))) expect([name, found]).toEqual([name, []]);
  });

  const planted: [keyof typeof rules, string, Record<string, string>][] = [
    ['direction', 'upwards', { 'packages/contract/src/up.ts': "import '@recollect/core';\n" }],
    [
      'direction',
      'a value from the contract in core',
      { 'packages/core/src/value.ts': "import { Capture } from '@recollect/contract';\nexport { Capture };\n" },
    ],
    [
      'direction',
      'between adapters, as a type',
      {
        'packages/storage/src/side.ts': "import type { Model } from '@recollect/embeddings';\nexport type M = Model;\n",
      },
    ],
    ['direction', 'by a re-export', { 'packages/storage/src/side.ts': "export { x } from '@recollect/server';\n" }],
    [
      'direction',
      'by import()',
      { 'packages/core/src/late.ts': "export const late = () => import('@recollect/storage');\n" },
    ],
    [
      'direction',
      'a package that the table does not list',
      {
        'packages/attic/package.json': manifest('attic'),
        'packages/attic/src/index.ts': "import '@recollect/core';\n",
      },
    ],
    ['pureCore', 'Node', { 'packages/core/src/node.ts': "import { join } from 'node:path';\nexport { join };\n" }],
    [
      'pureCore',
      'a library, as a type',
      { 'packages/core/src/library.ts': "import type { Kysely } from 'kysely';\nexport type K = Kysely<unknown>;\n" },
    ],
    [
      'oneCompositionRoot',
      'an adapter in a command',
      { 'apps/cli/src/command.ts': "import { open } from '@recollect/storage';\nexport { open };\n" },
    ],
    [
      'oneConfiguration',
      'process.env',
      { 'packages/storage/src/env.ts': "export const home = process.env['HOME'];\n" },
    ],
    [
      'oneConfiguration',
      'env from node:process',
      { 'packages/storage/src/env.ts': "import { env } from 'node:process';\nexport { env };\n" },
    ],
    [
      'fetchesPagesInOnePlace',
      'another client with addresses of its own',
      { 'apps/cli/src/other.ts': "import { fetch } from 'undici';\nexport const other = fetch;\n" },
    ],
    [
      'fetchesNothing',
      'fetch',
      { 'packages/storage/src/call.ts': "export const call = () => fetch('http://a.example');\n" },
    ],
    [
      'fetchesNothing',
      'a Node client',
      { 'packages/storage/src/call.ts': "import { get } from 'node:http';\nexport { get };\n" },
    ],
    [
      'soundAddresses',
      'URL.canParse',
      { 'packages/storage/src/address.ts': "export const is = (text) => URL.canParse(text, 'http://a.example');\n" },
    ],
    [
      'linearRegexes',
      'white space at the end of a text',
      { 'packages/storage/src/trim.ts': 'export const trim = (text) => text.replace(/\\s+$/, "");\n' },
    ],
    [
      'linearRegexes',
      'a tag without an end',
      { 'packages/storage/src/tag.ts': 'export const TAG = /<\\?xml[^>]*>/g;\n' },
    ],
    [
      'linearRegexes',
      'an exponential list',
      { 'packages/storage/src/list.ts': 'export const LIST = /^(?:[ ]*[-*][ ]+)*[ ]*[-*][ ]+\\[x\\]/;\n' },
    ],
    [
      'linearRegexes',
      'a look behind and a reference to a group',
      { 'packages/storage/src/group.ts': 'export const GROUP = /(?<!\\w)(\\*\\*|`)(?=\\S)([^\\n]*?\\S)\\1/g;\n' },
    ],
    [
      'linearRegexes',
      'what may not follow',
      { 'packages/storage/src/word.ts': 'export const WORD = /\\p{L}+(?!\\p{L}|-$)/gu;\n' },
    ],
    [
      'linearRegexes',
      'one that is made of texts',
      {
        'packages/storage/src/made.ts':
          "const END = ['</b>', '</i>'].join('|');\nexport const MADE = new RegExp('<[bi]>.*?(?:' + END + ')', 'gs');\n",
      },
    ],
    [
      'publicExportsOnly',
      'a file inside another package',
      { 'packages/storage/src/inside.ts': "export * from '../../core/src/index.js';\n" },
    ],
    [
      'folderDirection',
      'from the shell to a page',
      {
        'packages/web/package.json': manifest('web'),
        'packages/web/src/app/app.ts': "import './pages/tags.js';\n",
        'packages/web/src/app/pages/tags.ts': 'export const tags = 1;\n',
        'packages/web/src/app/shell/keys.ts': "import { tags } from '../pages/tags.js';\nexport { tags };\n",
      },
    ],
    [
      'folderDirection',
      'a folder without a place',
      {
        'packages/web/package.json': manifest('web'),
        'packages/web/src/app/attic/keys.ts': "import { tags } from '../pages/tags.js';\nexport { tags };\n",
        'packages/web/src/app/pages/tags.ts': 'export const tags = 1;\n',
      },
    ],
    ['closedExports', 'a pattern', { 'packages/core/package.json': manifest('core', { './*': './dist/*.js' }) }],
    ['closedExports', 'none', { 'packages/core/package.json': JSON.stringify({ name: '@recollect/core' }) }],
    [
      'noImportCycles',
      'across two files, as types',
      {
        'packages/core/src/a.ts': "import type { B } from './b.js';\nexport type A = B;\n",
        'packages/core/src/b.ts': "import type { A } from './a.js';\nexport type B = A;\n",
      },
    ],
    [
      'noImportCycles',
      'through a component',
      {
        'packages/core/src/a.ts': "import { B } from './b.js';\nexport const a = B;\n",
        'packages/core/src/b.tsx': "import { a } from './a.js';\nexport const B = () => <p>{a}</p>;\n",
      },
    ],
    [
      'lightThreads',
      'a module of a thread that loads core',
      {
        'packages/storage/src/file-thread.ts': "import './work.js';\n",
        'packages/storage/src/work.ts': "import { limits } from '@recollect/core';\nexport { limits };\n",
      },
    ],
    [
      'portableSql',
      'a function of SQLite in a template',
      {
        'packages/storage/src/list.ts':
          "import { sql } from 'kysely';\nexport const list = sql`select value from json_each(json)`;\n",
      },
    ],
    [
      'portableSql',
      'a function of SQLite by name',
      {
        'packages/storage/src/weight.ts':
          "import { sql } from 'kysely';\nexport const weight = (eb: any) => [sql, eb.fn('bm25', ['a'])];\n",
      },
    ],
    [
      'portableSql',
      'raw SQL',
      { 'packages/storage/src/raw.ts': "import { sql } from 'kysely';\nexport const p = sql.raw('pragma x');\n" },
    ],
    [
      'portableSql',
      'the driver',
      { 'packages/storage/src/open.ts': "import Sqlite from 'better-sqlite3';\nexport { Sqlite };\n" },
    ],
    ['meaningfulNames', 'a file', { 'packages/core/src/utils.ts': 'export const x = 1;\n' }],
    ['meaningfulNames', 'a folder', { 'packages/core/src/common/x.ts': 'export const x = 1;\n' }],
  ];
  for (const [rule, what, files] of planted) {
    test(`${rule}: ${what}`, () => {
      const found = inspect({ ...sound, ...files });
      expect(found[rule]?.length).toBe(1);
      for (const [name, others] of Object.entries(found))
        if (name !== rule && rule !== 'publicExportsOnly') expect([name, others]).toEqual([name, []]);
    });
  }

  test('fails if there is nothing to check or a file cannot be parsed', () => {
    expect(() => inspect({})).toThrow('nothing was checked');
    expect(() =>
      inspect({
        'packages/core/package.json': manifest('core'),
        'packages/core/src/index.ts': 'export const x = 1;\n',
      }),
    ).toThrow('nothing was checked');
    expect(() => inspect({ ...sound, 'packages/core/src/broken.ts': 'import {' })).toThrow('cannot be parsed');
  });
});
