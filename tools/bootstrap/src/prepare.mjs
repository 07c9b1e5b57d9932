// @ts-check
import { delimiter, dirname, join } from 'node:path';
import { createFreshness } from './freshness.mjs';
import { BootstrapError, report } from './report.mjs';
import { runQuietly } from './run.mjs';
import { findNode, findPnpm } from './toolchain.mjs';

/**
 * Makes sure that everything is installed and built, doing only what is stale.
 * @param {string} root
 * @returns {Promise<{ node: string, env: NodeJS.ProcessEnv }>} the Node to go on with, and the environment for it
 */
export async function prepare(root) {
  const node = await findNode();
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}` };
  const freshness = createFreshness(root);
  if (freshness.isBuilt()) return { node, env };

  const pnpm = await findPnpm();
  const toolEnv = {
    ...env,
    PATH: pnpm === 'pnpm' ? env.PATH : `${dirname(pnpm)}${delimiter}${env.PATH}`,
    DO_NOT_TRACK: '1',
    TURBO_TELEMETRY_DISABLED: '1',
  };
  if (!freshness.isInstalled()) {
    report('installing the libraries of pnpm-lock.yaml');
    await install(root, pnpm, toolEnv);
    freshness.markInstalled();
  }
  report('building');
  const turbo = join(root, 'node_modules', 'turbo', 'bin', 'turbo');
  const code = await runQuietly(node, [turbo, 'run', 'build', '--output-logs=errors-only'], {
    cwd: root,
    env: toolEnv,
  });
  if (code !== 0) throw new BootstrapError('The build failed; the compiler says why above.');
  freshness.markBuilt();
  return { node, env: toolEnv };
}

/** @param {string} root @param {string} pnpm @param {NodeJS.ProcessEnv} env */
async function install(root, pnpm, env) {
  // A registry that drops a connection is common enough for one more try.
  for (let attempt = 1; attempt <= 2; attempt++) {
    const code = await runQuietly(pnpm, ['install', '--frozen-lockfile', '--reporter=append-only'], { cwd: root, env });
    if (code === 0) return;
  }
  throw new BootstrapError(
    'The libraries could not be installed; pnpm says why above. Is the npm registry reachable, and is there room on the disk?',
  );
}
