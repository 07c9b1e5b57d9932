// @ts-check
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { targets } from './libraries.mjs';
import { packProgram } from './pack-program.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/[\\/]$/, '');
const report = (/** @type {string} */ text) => process.stderr.write(`recollect: ${text}\n`);

try {
  const { values } = parseArgs({ options: { platform: { type: 'string' }, out: { type: 'string' } } });
  const system = values.platform ?? `${process.platform}-${process.arch}`;
  if (!targets.includes(system))
    throw new Error(`There is no package for ${system}. --platform must be one of ${targets.join(', ')}.`);
  const [os = '', cpu = ''] = system.split('-');
  const file = await packProgram(root, {
    target: { os, cpu },
    output: resolve(values.out ?? root, values.out ? '' : 'dist'),
    report,
  });
  report('install it with npm install -g and this path:');
  process.stdout.write(`${file}\n`);
} catch (error) {
  report(/** @type {Error} */ (error).message);
  process.exitCode = 1;
}
