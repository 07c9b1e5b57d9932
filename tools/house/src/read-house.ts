import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parseSync } from 'oxc-parser';
import { type Regex, readRegexes } from './read-regexes.js';

export interface Import {
  /** As written, such as `./limits.js` or `@recollect/core`. */
  specifier: string;
  /** Whether it is type-only, so that the compiler removes it. */
  isType: boolean;
}

/** A source file. `path` is relative to the root, with forward slashes. */
export interface Module {
  path: string;
  imports: readonly Import[];
  readsEnvironment: boolean;
  /** Whether it calls `fetch`, or opens a WebSocket or EventSource. */
  callsFetch: boolean;
  /** Whether it uses `URL.canParse`. */
  usesCanParse: boolean;
  /**
   * The SQL that it writes itself: templates tagged `sql`, with `?` for each value, `sql.raw`, and functions by name.
   */
  sql: readonly string[];
  regexes: readonly Regex[];
}

/** A package of the workspace. `folder` is its path, such as `packages/core`. */
interface Manifest {
  folder: string;
  name: string;
  exports: unknown;
  dependencies: readonly string[];
}

export interface House {
  modules: readonly Module[];
  manifests: readonly Manifest[];
}

const FLOORS = ['packages', 'apps', 'tools'];

/** Reads every source file and manifest of the workspace. Throws if there are none, since an empty check would pass. */
export function readHouse(root: string): House {
  const manifests = FLOORS.flatMap((floor) => childrenOf(join(root, floor)).map((name) => `${floor}/${name}`))
    .filter((folder) => childrenOf(join(root, folder)).includes('package.json'))
    .map((folder) => readManifest(root, folder));
  const modules = manifests.flatMap(({ folder }) =>
    sourceFilesIn(join(root, folder, 'src')).map((file) => readModule(root, posix.join(folder, 'src', file))),
  );
  if (modules.length === 0 || modules.every(({ imports }) => imports.length === 0)) {
    throw new Error('No source file with an import was read, so nothing was checked.');
  }
  return { modules, manifests };
}

function readManifest(root: string, folder: string): Manifest {
  const { name, exports, dependencies = {} } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  return { folder, name, exports, dependencies: Object.keys(dependencies) };
}

/** Reads one module. Throws if it is not valid TypeScript or JavaScript. */
function readModule(root: string, path: string): Module {
  const source = readFileSync(join(root, path), 'utf8');
  const { module, program, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path} cannot be parsed.`);
  const imports: Import[] = [
    ...module.staticImports.map(({ moduleRequest, entries }) => ({
      specifier: moduleRequest.value,
      isType: entries.length > 0 && entries.every(({ isType }) => isType),
    })),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest, isType }) =>
        moduleRequest === null ? [] : [{ specifier: moduleRequest.value, isType }],
      ),
    ),
    ...module.dynamicImports.map(({ moduleRequest }) => ({
      specifier: source.slice(moduleRequest.start + 1, moduleRequest.end - 1),
      isType: false,
    })),
  ];
  // A re-exported import is listed twice.
  const unique = new Map(imports.map((imported) => [`${imported.specifier} ${imported.isType}`, imported]));
  return {
    path,
    imports: [...unique.values()],
    readsEnvironment: readsEnvironment(program),
    callsFetch: callsFetch(program),
    usesCanParse: usesCanParse(program),
    sql: readSql(program),
    regexes: readRegexes(program),
  };
}

/** Whether a syntax tree contains `process.env` or imports `env` from node:process. */
function readsEnvironment(node: unknown): boolean {
  if (Array.isArray(node)) return node.some(readsEnvironment);
  if (typeof node !== 'object' || node === null) return false;
  const { type, object, property, source, specifiers } = node as Record<
    string,
    { name?: string; value?: string } | undefined
  > & {
    type?: string;
    specifiers?: { imported?: { name?: string } }[];
  };
  if (type === 'MemberExpression' && object?.name === 'process' && (property?.name ?? property?.value) === 'env')
    return true;
  if (type === 'ImportDeclaration' && /^(node:)?process$/.test(source?.value ?? '')) {
    return specifiers?.some(({ imported }) => imported?.name === 'env') ?? false;
  }
  return Object.values(node).some(readsEnvironment);
}

/** Whether a syntax tree calls a function named `fetch`, or opens a WebSocket or EventSource. */
function callsFetch(node: unknown): boolean {
  if (Array.isArray(node)) return node.some(callsFetch);
  if (typeof node !== 'object' || node === null) return false;
  const { type, callee } = node as { type?: string; callee?: { name?: string } };
  const isCall = type === 'CallExpression' || type === 'NewExpression';
  return (
    (isCall && /^(?:fetch|WebSocket|EventSource)$/.test(callee?.name ?? '')) || Object.values(node).some(callsFetch)
  );
}

/** Whether a syntax tree contains `URL.canParse`. */
function usesCanParse(node: unknown): boolean {
  if (Array.isArray(node)) return node.some(usesCanParse);
  if (typeof node !== 'object' || node === null) return false;
  const { object, property } = node as Record<string, { name?: string } | undefined>;
  return (object?.name === 'URL' && property?.name === 'canParse') || Object.values(node).some(usesCanParse);
}

/** The SQL of a syntax tree. */
function readSql(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(readSql);
  if (typeof node !== 'object' || node === null) return [];
  const {
    type,
    tag,
    quasi,
    callee,
    arguments: given,
  } = node as {
    type?: string;
    tag?: { name?: string };
    quasi?: { quasis: { value: { raw: string } }[] };
    callee?: { name?: string; object?: { name?: string }; property?: { name?: string } };
    arguments?: { value?: unknown }[];
  };
  const own: string[] = [];
  if (type === 'TaggedTemplateExpression' && tag?.name === 'sql')
    own.push((quasi?.quasis ?? []).map(({ value }) => value.raw).join('?'));
  if (type === 'CallExpression') {
    const [first] = given ?? [];
    const isRaw = callee?.object?.name === 'sql' && callee.property?.name === 'raw';
    const isFunction = (callee?.property?.name ?? callee?.name) === 'fn';
    if ((isRaw || isFunction) && typeof first?.value === 'string') own.push(`${first.value}${isFunction ? '(' : ''}`);
  }
  return [...own, ...Object.values(node).flatMap(readSql)];
}

function childrenOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function sourceFilesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((file) => file.replaceAll('\\', '/'))
      .filter((file) => /\.(?:tsx?|mjs|js)$/.test(file));
  } catch {
    return [];
  }
}
