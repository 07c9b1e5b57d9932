// @ts-check
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { BootstrapError, report } from './report.mjs';

/**
 * Builds all packages, and reports each as its turn comes.
 * @param {string} root
 * @param {{ node: string, env: NodeJS.ProcessEnv }} options
 */
export async function build(root, { node, env }) {
  const turbo = join(root, 'node_modules', 'turbo', 'bin', 'turbo');
  const child = spawn(node, [turbo, 'run', 'build', '--output-logs=new-only', '--log-order=stream', '--ui=stream'], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const startedAt = performance.now();
  const all = countPackages(root);
  /** @type {string[]} */
  const printed = [];
  let begun = 0;
  for (const output of [child.stdout, child.stderr])
    createInterface({ input: output }).on('line', (line) => {
      printed.push(line);
      const name = packageOf(line);
      if (name === null) return;
      begun += 1;
      report(`building ${name} (${begun} of ${all})`);
    });
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) {
    process.stderr.write(`${printed.join('\n')}\n`);
    throw new BootstrapError('The build failed. See the output above.');
  }
  report(`built in ${Math.round((performance.now() - startedAt) / 1_000)} s`);
}

/**
 * The package whose build a line of the build's output announces; null for any other line.
 * @param {string} line
 * @returns {string | null}
 */
export function packageOf(line) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with it.
  const plain = line.replace(/\u001b\[[0-9;]*m/g, '');
  return /^@recollect\/([\w-]+):build: cache (?:miss|bypass|hit)/.exec(plain)?.[1] ?? null;
}

/**
 * The packages that are built.
 * @param {string} root
 */
function countPackages(root) {
  const manifests = ['packages', 'apps', 'tools']
    .flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(root, folder, name, 'package.json')))
    .filter((path) => existsSync(path));
  return manifests.filter((path) => JSON.parse(readFileSync(path, 'utf8')).scripts?.build !== undefined).length;
}
