// The build runs this, so that what V8 compiles for the commands of every day is there at their first start: it runs
// them in one process, without a server and with one. Its arguments are the folder of a new store, which
// RECOLLECT_DATA_DIR names too, and the folder in which it keeps the code.

import { existsSync, writeFileSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { loadProgram } from './load-program.js';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const [folder = '', cache = ''] = process.argv.slice(2).map((path) => resolve(path));
enableCompileCache(cache);
const program = loadProgram<typeof import('./run-command-line.js')>(at('bundle/main.cjs'), cache);
const { runCommandLine } = program.exports;
const note = join(folder, 'note.md');
writeFileSync(note, 'Green tea is best steeped below boiling.\n');

const COMMANDS = [
  ['capture', note],
  ['search', 'green tea'],
  ['recent'],
  ['tags'],
  ['keys', 'list'],
  ['status'],
  ['--help'],
];

async function runAll(): Promise<void> {
  for (const words of COMMANDS) await runCommandLine(words);
}

await runAll();
let isServing = true;
const stopped = runCommandLine(['serve']).finally(() => {
  isServing = false;
});
while (isServing && !existsSync(join(folder, 'server.json'))) await sleep(10);
await runAll();
// Windows would end the process at once for a real signal.
process.emit('SIGTERM');
await stopped;
program.keep('all');
// A command without a result is not a failure here.
process.exitCode = 0;
