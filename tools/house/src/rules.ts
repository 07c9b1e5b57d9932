import { posix } from 'node:path';
import { lightThreads } from './light-threads.js';
import { linearRegexes } from './linear-regexes.js';
import type { House, Import, Module } from './read-house.js';

/** The workspace packages that a package may import. Those in `types` may be imported only as types. */
interface Allowed {
  values: readonly string[];
  types?: readonly string[];
}

const ADAPTERS = [
  'storage',
  'storage/backups',
  'embeddings',
  'extraction',
  'models/minilm',
  'models/multilingual',
  'models/reranker',
  'plugin-runtime/host',
  'plugins',
];
/** Parts of the contract without schemas, so core may import their values. */
const CONSTANTS = [
  'contract/calendar',
  'contract/instant',
  'contract/limits',
  'contract/properties',
  'contract/query-syntax',
  'contract/read-image',
  'contract/shown-results',
  'contract/text',
  'contract/vocabulary',
];

const TABLE: Readonly<Record<string, Allowed>> = {
  contract: { values: [] },
  core: { values: [...CONSTANTS, 'contract/capture-body', 'contract/unstorable'], types: ['contract'] },
  storage: {
    values: ['contract/properties', 'contract/text', 'contract/vocabulary', 'core', 'core/threads', 'in-memory-index'],
    types: ['contract'],
  },
  'in-memory-index': { values: [] },
  embeddings: { values: ['core', 'core/threads', 'in-memory-index'] },
  extraction: { values: ['contract/limits', 'contract/text', 'core'], types: ['contract/vocabulary'] },
  importers: {
    values: [
      'contract',
      'contract/limits',
      'contract/text',
      'contract/unstorable',
      'contract/vocabulary',
      'core',
      'extraction/dom',
    ],
    types: ['contract'],
  },
  models: { values: [] },
  'plugin-runtime': { values: [...CONSTANTS, 'contract/validate', 'core'], types: ['contract'] },
  plugins: { values: ['plugin-runtime'], types: ['plugin-runtime/host'] },
  ui: { values: ['contract/limits', 'contract/text'], types: ['contract/vocabulary'] },
  extension: {
    values: [
      'contract',
      'contract/client',
      'contract/limits',
      'contract/shown-results',
      'contract/text',
      'extraction/dom',
      'ui',
      'ui/dates',
      'ui/site',
      'ui/tag-field',
      'ui/text-index',
    ],
  },
  web: {
    values: [
      'contract/client',
      'contract/follow-change',
      ...CONSTANTS,
      'importers/decode-text',
      'importers/read-document',
      'importers/export-reader',
      'ui',
      'ui/base.css',
      'ui/dates',
      'ui/numbers',
      'ui/site',
      'ui/tag-field',
      'ui/text-index',
      'ui/tokens.css',
    ],
    types: ['contract'],
  },
  mcp: { values: ['contract', 'contract/limits', 'contract/shown-results', 'contract/text', 'core'] },
  server: {
    values: ['contract', 'contract/text', 'core', 'extension/archive', 'extension/save-page', 'mcp', 'web/files'],
  },
  cli: {
    values: [
      'contract',
      'contract/client',
      'contract/follow-change',
      ...CONSTANTS,
      'core',
      ...ADAPTERS,
      'extension/archive',
      'importers',
      'importers/decode-text',
      'importers/read-document-file',
      'importers/export-reader',
      'mcp/lines',
      'mcp/stdio',
      'plugin-runtime/template',
      'plugins/public-address',
      'server',
      'server/access-policy',
      'server/spool-file',
    ],
  },
  house: { values: [] },
  requirements: { values: [] },
  bootstrap: { values: [] },
  browser: { values: [] },
  bundle: { values: [] },
  pack: { values: ['bundle'] },
  soak: { values: [] },
  torture: { values: ['cli/package.json', 'core', 'storage'] },
  bench: {
    values: [
      'browser',
      'contract',
      'contract/client',
      'contract/text',
      'core',
      'core/testing',
      ...ADAPTERS,
      'extension/archive',
      'server',
      'server/access-policy',
      'server/gate',
      'web/files',
    ],
  },
};

const SCOPE = '@recollect/';
const FORBIDDEN_NAMES = ['utils', 'util', 'helpers', 'helper', 'common', 'manager', 'service', 'misc'];

/** An architecture rule. It returns its violations, a sentence each. */
export type Rule = (house: House) => string[];

const packageOf = ({ path }: Module) => path.split('/')[1] ?? '';
const faults = (house: House, find: (module: Module, imported: Import) => string | null) =>
  house.modules.flatMap((module) =>
    module.imports.flatMap((imported) => {
      const fault = find(module, imported);
      return fault === null ? [] : [`${module.path} imports ${imported.specifier}: ${fault}`];
    }),
  );

/** contract → core → adapters → apps: nothing imports upwards, and adapters do not import each other. */
const direction: Rule = (house) =>
  faults(house, (module, { specifier, isType }) => {
    if (!specifier.startsWith(SCOPE)) return null;
    const name = specifier.slice(SCOPE.length);
    const allowed = TABLE[packageOf(module)];
    if (allowed === undefined) return 'the package is missing from TABLE in tools/house/src/rules.ts';
    const isAllowed = allowed.values.includes(name) || (isType && allowed.types?.includes(name) === true);
    return isAllowed ? null : `${packageOf(module)} must not import it`;
  });

/** Core depends only on the language. */
const pureCore: Rule = (house) =>
  faults(house, (module, { specifier }) =>
    packageOf(module) !== 'core' || specifier.startsWith('.') || specifier.startsWith(SCOPE) ? null : 'core is pure',
  );

/** In the apps, only the composition root knows the adapters. */
const oneCompositionRoot: Rule = (house) =>
  faults(house, (module, { specifier }) => {
    const isAdapter = ADAPTERS.some((name) => specifier === SCOPE + name);
    const isApp = module.path.startsWith('apps/');
    const isRoot = module.path.startsWith('apps/cli/src/compose/');
    return isApp && isAdapter && !isRoot ? 'only apps/cli/src/compose may import adapters' : null;
  });

/** Sets a variable for a library that accepts it only from the environment, and reads none. */
const SETS_ENVIRONMENT = 'packages/embeddings/src/silence-telemetry.ts';

/** Configuration is read in one place. */
const oneConfiguration: Rule = ({ modules }) =>
  modules
    .filter(
      ({ path, readsEnvironment }) =>
        readsEnvironment && !path.startsWith('tools/') && !path.endsWith('/config.ts') && path !== SETS_ENVIRONMENT,
    )
    .map(({ path }) => `${path} reads process.env: only config.ts may`);

/** The packages of the server. The command line fetches for its user, and an embedding service is the user's choice. */
const SERVER_PACKAGES = ['server', 'core', 'storage', 'extraction'];
const CLIENTS = /^(?:node:)?(?:https?|http2|net|tls|dgram|dns)$|^undici$/;

/** The server makes no outgoing requests for any URL that it gets (SEC-12). */
const fetchesNothing: Rule = ({ modules }) =>
  modules
    .filter((module) => SERVER_PACKAGES.includes(packageOf(module)))
    .filter(
      ({ imports, callsFetch }) =>
        callsFetch || imports.some(({ specifier, isType }) => !isType && CLIENTS.test(specifier)),
    )
    .map(({ path }) => `${path} can reach other machines: the server must not make requests`);

/** The file through which the server gets pages, with a guard for each address (SYS-17). */
const PAGE_FETCHER = 'apps/cli/src/sources/fetch-page.ts';

/** Only one file requests pages with undici, so that no page is requested without the guard. */
const fetchesPagesInOnePlace: Rule = ({ modules }) =>
  modules
    .filter(({ path }) => path !== PAGE_FETCHER)
    .filter(({ imports }) => imports.some(({ specifier, isType }) => !isType && specifier === 'undici'))
    .map(({ path }) => `${path} imports undici: pages are requested in ${PAGE_FETCHER}, which checks addresses`);

/** Relative imports stay inside the package. Other packages are imported only by their exports. */
const publicExportsOnly: Rule = (house) =>
  faults(house, (module, { specifier }) => {
    if (!specifier.startsWith('.')) return null;
    const target = posix.join(posix.dirname(module.path), specifier);
    const home = module.path.split('/').slice(0, 2).join('/');
    return target.startsWith(`${home}/`) ? null : 'it is outside the package; import the other package by name';
  });

/** Folders in order, by where they are. Each may import those before it; the files beside them may import all. */
const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  'packages/core/src/': [
    'text',
    'pictures',
    'ports',
    'runners',
    'chunking',
    'indexing',
    'retrieval',
    'drafts',
    'backups',
    'memories',
    'highlights',
    'capture',
    'fetching',
    'people',
    'access',
    'sharing',
    'plugins',
    'transfer',
    'health',
    'search-test',
    'operations',
  ],
  'packages/web/src/app/': [
    'styles',
    'api',
    'state',
    'markdown',
    'search',
    'editor',
    'dialogs',
    'shell',
    'versions',
    'list',
    'reader',
    'settings',
    'pages',
  ],
};

/** Inside core and the web app, nothing imports upwards either. */
const folderDirection: Rule = (house) =>
  faults(house, ({ path }, { specifier }) => {
    const target = posix.join(posix.dirname(path), specifier);
    const [base, folders] = Object.entries(FOLDERS).find(([start]) => path.startsWith(start)) ?? [];
    if (base === undefined || folders === undefined || !target.startsWith(base)) return null;
    const [[own, inner], [other, otherInner]] = [path, target].map((file) => file.slice(base.length).split('/')) as [
      string[],
      string[],
    ];
    if (inner === undefined || otherInner === undefined || own === undefined || other === undefined) return null;
    if (!folders.includes(own) || !folders.includes(other))
      return 'its folder is missing from FOLDERS in tools/house/src/rules.ts';
    return folders.indexOf(other) <= folders.indexOf(own) ? null : `${own} is below ${other}`;
  });

/** Packages list their exports, without patterns that export everything. */
const closedExports: Rule = ({ manifests }) =>
  manifests
    .filter(
      ({ exports }) =>
        typeof exports !== 'object' || exports === null || Object.keys(exports).some((key) => key.includes('*')),
    )
    .map(({ folder }) => `${folder}/package.json must list its exports without patterns`);

/** There are no import cycles, not even of types. */
const noImportCycles: Rule = ({ modules }) => {
  const paths = new Set(modules.map(({ path }) => path));
  const sourceOf = (path: string) =>
    ['.ts', '.tsx'].map((ending) => path.replace(/\.js$/, ending)).find((source) => paths.has(source)) ?? path;
  const graph = new Map(
    modules.map(({ path, imports }) => [
      path,
      imports
        .filter(({ specifier }) => specifier.startsWith('.'))
        .map(({ specifier }) => sourceOf(posix.join(posix.dirname(path), specifier))),
    ]),
  );
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (path: string, trail: readonly string[]) => {
    const at = trail.indexOf(path);
    if (at >= 0) {
      found.push(`${[...trail.slice(at), path].join(' → ')} is an import cycle`);
      return;
    }
    if (done.has(path)) return;
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of graph.keys()) visit(path, []);
  return found;
};

/** The only folder that may know SQLite, and the tool that damages its files. */
const SQLITE_FOLDER = 'packages/storage/src/sqlite/';
const SQLITE_TOOL = 'tools/torture/src/';
const SQLITE_MODULES = ['better-sqlite3', 'sqlite-vec', 'node:sqlite'];
/** Syntax that PostgreSQL lacks or reads differently. */
const SQLITE_SQL =
  /\b(?:json_each|json_extract|json_group_\w+|rowid|autoincrement|sqlite_\w+|pragma|fts5|bm25|match|glob|ifnull|unixepoch|julianday|strftime|last_insert_rowid|insert or|replace into|begin immediate|collate nocase|vec_\w+)\b|\b(?:iif|typeof|instr|datetime|changes|total)\(|->>|substr\([^)]*-/i;

/** Other databases can hold a store: what only SQLite understands is in its own folder. */
const portableSql: Rule = ({ modules }) =>
  modules
    .filter(({ path }) => !path.startsWith(SQLITE_FOLDER) && !path.startsWith(SQLITE_TOOL))
    .flatMap(({ path, sql, imports }) => [
      ...sql.filter((text) => SQLITE_SQL.test(text)).map(() => `${path} has SQL that only SQLite understands`),
      ...imports
        .filter(({ specifier }) => SQLITE_MODULES.includes(specifier))
        .map(({ specifier }) => `${path} imports ${specifier}: only ${SQLITE_FOLDER} knows SQLite`),
    ]);

/** In Node 22, `URL.canParse` takes valid addresses for invalid once it has been called some thousand times. */
const soundAddresses: Rule = ({ modules }) =>
  modules
    .filter(({ usesCanParse }) => usesCanParse)
    .map(({ path }) => `${path} uses URL.canParse: use parseUrl of @recollect/contract/text, or URL.parse`);

/** A generic name hides what a file is for. */
const meaningfulNames: Rule = ({ modules }) =>
  modules
    .filter(({ path }) => path.split('/').some((part) => FORBIDDEN_NAMES.includes(part.replace(/\.\w+$/, ''))))
    .map(({ path }) => `${path} has a generic name; say what it is for`);

export const rules = {
  direction,
  pureCore,
  oneCompositionRoot,
  oneConfiguration,
  fetchesNothing,
  fetchesPagesInOnePlace,
  publicExportsOnly,
  folderDirection,
  closedExports,
  noImportCycles,
  lightThreads,
  portableSql,
  soundAddresses,
  linearRegexes,
  meaningfulNames,
} as const satisfies Record<string, Rule>;
