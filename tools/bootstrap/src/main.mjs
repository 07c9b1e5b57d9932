#!/usr/bin/env node
// @ts-check
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runChecks } from './checks.mjs';
import { prepare } from './prepare.mjs';
import { BootstrapError, report } from './report.mjs';
import { handOver } from './run.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/[\\/]$/, '');
const cli = join(root, 'apps', 'cli', 'dist', 'main.js');
const bench = join(root, 'tools', 'bench', 'dist', 'main.js');

/** @param {string | undefined} task @param {readonly string[]} args */
async function go(task, args) {
  const { node, env } = await prepare(root);
  // npm changes into the project folder, but paths on the command line are relative to where the user typed them.
  const typedIn = process.env.INIT_CWD ?? process.cwd();
  switch (task) {
    case 'start':
      return handOver(node, [cli, 'serve', ...args], { cwd: typedIn, env });
    case 'recollect':
      return handOver(node, [cli, ...args], { cwd: typedIn, env });
    case 'bench':
      return handOver(node, [bench, ...args], { cwd: typedIn, env });
    case 'test':
      return runChecks(root, { node, env });
    default:
      throw new BootstrapError('Use npm start, npm test, npm run recollect or npm run bench.');
  }
}

const [task, ...args] = process.argv.slice(2);
try {
  process.exitCode = await go(task, args);
} catch (error) {
  report(error instanceof BootstrapError ? error.message : String(error instanceof Error ? error.stack : error));
  process.exitCode = 1;
}
