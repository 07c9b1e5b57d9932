#!/usr/bin/env node
// @ts-check
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runChecks } from './checks.mjs';
import { link, offerLink, unlink } from './link.mjs';
import { prepare } from './prepare.mjs';
import { BootstrapError, report } from './report.mjs';
import { handOver } from './run.mjs';
import { findNode } from './toolchain.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/[\\/]$/, '');
const cli = join(root, 'apps', 'cli', 'dist', 'bundle', 'main.js');
const bench = join(root, 'tools', 'bench', 'dist', 'main.js');
const soak = join(root, 'tools', 'soak', 'dist', 'main.js');
const torture = join(root, 'tools', 'torture', 'dist', 'main.js');
const pack = join(root, 'tools', 'pack', 'src', 'main.mjs');
const release = join(root, 'tools', 'pack', 'src', 'release-main.mjs');

/** @param {string | undefined} task @param {readonly string[]} args */
async function go(task, args) {
  switch (task) {
    case 'link':
      return link(root, await findNode());
    case 'unlink':
      return unlink();
  }
  const { node, env } = await prepare(root);
  // npm changes into the project folder, but paths on the command line are relative to where the user typed them.
  const typedIn = process.env.INIT_CWD ?? process.cwd();
  switch (task) {
    case 'start':
      await offerLink(root, node);
      return handOver(node, [cli, 'serve', ...args], { cwd: typedIn, env });
    case 'recollect':
      return handOver(node, [cli, ...args], { cwd: typedIn, env });
    case 'pack':
      return handOver(node, [pack, ...args], { cwd: typedIn, env });
    case 'release':
      return handOver(node, [release, ...args], { cwd: typedIn, env });
    case 'bench':
      return handOver(node, [bench, ...args], { cwd: typedIn, env });
    case 'soak':
      return handOver(node, [soak, ...args], { cwd: typedIn, env });
    case 'torture':
      return handOver(node, [torture, ...args], { cwd: typedIn, env });
    case 'test':
      return runChecks(root, { node, env }, args);
    case 'test:long':
      return runChecks(root, { node, env: { ...env, LONG: '1' } }, args);
    default:
      throw new BootstrapError(
        'Use npm start, npm test, or npm run with recollect, link, unlink, pack, release, test:long, bench, soak or torture.',
      );
  }
}

const [task, ...args] = process.argv.slice(2);
try {
  process.exitCode = (await go(task, args)) ?? 0;
} catch (error) {
  report(error instanceof BootstrapError ? error.message : String(error instanceof Error ? error.stack : error));
  process.exitCode = 1;
}
