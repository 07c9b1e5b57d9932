// @ts-check
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { assemble } from './assemble.mjs';
import { release } from './release.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/[\\/]$/, '');

/**
 * Without options, prepares a release. With `--files FOLDER`, completes the files of the prepared one.
 * @param {{ files?: string | undefined, tag?: string | undefined }} options
 */
async function run({ files, tag }) {
  if (files !== undefined) {
    for (const file of await assemble(root, { folder: resolve(files), tag })) process.stdout.write(`${file}\n`);
    return;
  }
  const version = release(root, new Date().toISOString().slice(0, 10));
  process.stdout.write(`The version is ${version}. Read the changes, and commit them.\n`);
}

try {
  await run(parseArgs({ options: { files: { type: 'string' }, tag: { type: 'string' } } }).values);
} catch (error) {
  process.stderr.write(`recollect: ${/** @type {Error} */ (error).message}\n`);
  process.exitCode = 1;
}
