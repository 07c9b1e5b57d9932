// The build runs this, so that what V8 compiles for the commands of every day is there at their first start: it runs them in one
// process, on a store in the folder that RECOLLECT_DATA_DIR and its argument name, without a server and with one.

import { existsSync, writeFileSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { loadProgram } from './load-program.js';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
enableCompileCache(at('cache'));
const program = loadProgram<typeof import('./main.js')>(at('bundle/main.cjs'), at('cache'));
const folder = process.argv[2] ?? '';
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
  for (const words of COMMANDS) await program.exports.main(words);
}

await runAll();
let isServing = true;
const stopped = program.exports.main(['serve']).finally(() => {
  isServing = false;
});
while (isServing && !existsSync(join(folder, 'server.json'))) await sleep(10);
await runAll();
// Windows would end the process at once for a real signal.
process.emit('SIGTERM');
await stopped;
program.keep('all');
