import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { printResult } from './report.js';
import { soak } from './soak.js';

const [given = '30'] = process.argv.slice(2);
const minutes = Number(given);
if (!(minutes > 0)) {
  console.error('Use npm run soak MINUTES, with a number above 0.');
  process.exit(2);
}
const folder = await mkdtemp(join(tmpdir(), 'recollect-soak-'));
const result = await soak(minutes, folder);
console.log(printResult(result));
console.log(`\n${JSON.stringify(result)}`);
if (result.lost.length > 0 || Object.keys(result.errors).length > 0) {
  console.error(`The store and the log of the server are kept in ${folder}.`);
  process.exitCode = 1;
} else await rm(folder, { recursive: true });
