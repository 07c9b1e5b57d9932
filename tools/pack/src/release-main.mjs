// @ts-check
import { fileURLToPath } from 'node:url';
import { release } from './release.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/[\\/]$/, '');

try {
  const version = release(root, new Date().toISOString().slice(0, 10));
  process.stdout.write(`The version is ${version}. Read the changes, and commit them.\n`);
} catch (error) {
  process.stderr.write(`recollect: ${/** @type {Error} */ (error).message}\n`);
  process.exitCode = 1;
}
