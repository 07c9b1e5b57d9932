// @ts-check
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { targets } from './libraries.mjs';
import { packLibrary, publicPackages } from './pack-library.mjs';
import { packProgram } from './pack-program.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/[\\/]$/, '');
const report = (/** @type {string} */ text) => process.stderr.write(`recollect: ${text}\n`);

/** @param {string} output @param {string} system */
async function pack(output, system) {
  if (!targets.includes(system))
    throw new Error(`There is no package for ${system}. --platform must be one of ${targets.join(', ')}.`);
  const [os = '', cpu = ''] = system.split('-');
  const file = await packProgram(root, { target: { os, cpu }, output, report });
  report(`install it:         npm install -g ${file}`);
  report(`or run it directly: npx file:${file} serve`);
  return [file];
}

try {
  const { values } = parseArgs({
    options: { platform: { type: 'string' }, libraries: { type: 'boolean' }, out: { type: 'string' } },
  });
  const output = values.out === undefined ? resolve(root, 'dist') : resolve(values.out);
  const files = values.libraries
    ? publicPackages.map((name) => packLibrary(root, name, output))
    : await pack(output, values.platform ?? `${process.platform}-${process.arch}`);
  for (const file of files) process.stdout.write(`${file}\n`);
} catch (error) {
  report(/** @type {Error} */ (error).message);
  process.exitCode = 1;
}
