// @ts-check
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BootstrapError, report } from './report.mjs';
import { runQuietly } from './run.mjs';

/** The oldest Node that the project runs on: plugins need its module hooks and its type stripping. */
const OLDEST_NODE = [22, 18];
const PNPM_MAJOR = 12;

const folder = new URL('../toolchain/', import.meta.url);

/**
 * A Node that is new enough: the current one, or the pinned one, which is fetched from the npm registry on first use.
 * @returns {Promise<string>} the path of its executable
 */
export async function findNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return process.execPath;
  const find = () => executableIn('node', /^node-/, [join('bin', 'node'), join('bin', 'node.exe')]);
  return (
    find() ??
    (await fetchTool('node', `Node ${OLDEST_NODE.join('.')} or later is needed, but this is ${process.version}`, find))
  );
}

/**
 * A pnpm of the right major version: the installed one, or the pinned one.
 * @returns {Promise<string>} the path of its executable, or its name if it is on the PATH
 */
export async function findPnpm() {
  const own = spawnSync('pnpm', ['--version'], { encoding: 'utf8', shell: process.platform === 'win32' });
  if (own.status === 0 && Number(own.stdout.split('.')[0]) === PNPM_MAJOR) return 'pnpm';
  const find = () => executableIn('pnpm', /^exe\./, ['pnpm', 'pnpm.exe']);
  return find() ?? (await fetchTool('pnpm', `pnpm ${PNPM_MAJOR} is needed`, find));
}

/** @param {string} tool @param {RegExp} name @param {readonly string[]} files */
function executableIn(tool, name, files) {
  const modules = new URL(`${tool}/node_modules/`, folder);
  const scope = tool === 'pnpm' ? new URL('@pnpm/', modules) : modules;
  if (!existsSync(scope)) return undefined;
  return readdirSync(scope)
    .filter((entry) => name.test(entry))
    .flatMap((entry) => files.map((file) => join(fileURLToPath(scope), entry, file)))
    .find((path) => existsSync(path));
}

/** @param {string} tool @param {string} why @param {() => string | undefined} find */
async function fetchTool(tool, why, find) {
  report(`${why}; fetching it once from the npm registry`);
  const cwd = fileURLToPath(new URL(`${tool}/`, folder));
  const { command, args } = npm();
  const install = [...args, 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  for (let attempt = 1; attempt <= 2; attempt++) {
    await runQuietly(command, install, { cwd, env: withoutNpm() });
    const path = find();
    if (path !== undefined) return path;
  }
  throw new BootstrapError(
    `${tool} could not be fetched for ${process.platform}-${process.arch}. Check that the npm registry is reachable, or install ${why.split(' is needed')[0]} yourself.`,
  );
}

/** The npm that started this process, so that no shell is needed to find it. */
function npm() {
  const script = process.env.npm_execpath;
  if (script?.endsWith('.js')) return { command: process.execPath, args: [script] };
  const besideNode = join(dirname(process.execPath), 'node_modules', 'npm', 'bin', 'npm-cli.js');
  return existsSync(besideNode) ? { command: process.execPath, args: [besideNode] } : { command: 'npm', args: [] };
}

/** The environment without npm's script variables: with them, npm would install this project instead. */
function withoutNpm() {
  const kept = (/** @type {[string, string | undefined]} */ [name]) =>
    !/^npm_(?:package|lifecycle|command|config_local_prefix|config_prefix)/i.test(name);
  return Object.fromEntries(Object.entries(process.env).filter(kept));
}
