// @ts-check
import { delimiter, dirname, join } from 'node:path';
import { build } from './build.mjs';
import { createFreshness } from './freshness.mjs';
import { withLock } from './lock.mjs';
import { BootstrapError, report } from './report.mjs';
import { runQuietly } from './run.mjs';
import { findNode, findPnpm } from './toolchain.mjs';

/**
 * Installs and builds what is stale. Of several commands that find something to do, one does it and the others wait.
 * @param {string} root
 * @returns {Promise<{ node: string, env: NodeJS.ProcessEnv }>} the Node to continue with, and its environment
 */
export async function prepare(root) {
  if (createFreshness(root).isBuilt()) return findTools();
  return withLock(join(root, 'tools', 'bootstrap', 'toolchain', 'preparing.lock'), () => installAndBuild(root));
}

async function findTools() {
  const node = await findNode();
  return { node, env: { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}` } };
}

/** @param {string} root */
async function installAndBuild(root) {
  const { node, env } = await findTools();
  const freshness = createFreshness(root);
  // Another command may have built it in the meantime.
  if (freshness.isBuilt()) return { node, env };

  if (!freshness.isInstalled())
    report('the first start installs and builds Recollect, in a minute or two; the next ones are fast');
  const pnpm = await findPnpm();
  const toolEnv = {
    ...env,
    PATH: pnpm === 'pnpm' ? env.PATH : `${dirname(pnpm)}${delimiter}${env.PATH}`,
    DO_NOT_TRACK: '1',
    TURBO_TELEMETRY_DISABLED: '1',
  };
  if (!freshness.isInstalled()) {
    report('installing the dependencies in pnpm-lock.yaml');
    await install(root, pnpm, toolEnv);
    freshness.markInstalled();
  }
  await build(root, { node, env: toolEnv });
  freshness.markBuilt();
  return { node, env: toolEnv };
}

/** @param {string} root @param {string} pnpm @param {NodeJS.ProcessEnv} env */
async function install(root, pnpm, env) {
  // Registries drop connections often enough to retry once.
  for (let attempt = 1; attempt <= 2; attempt++) {
    const code = await runQuietly(pnpm, ['install', '--frozen-lockfile', '--reporter=append-only'], { cwd: root, env });
    if (code === 0) return;
  }
  throw new BootstrapError(
    'Installing the dependencies failed; see above. Check that the npm registry is reachable and that the disk is not full.',
  );
}
