#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { loadProgram } from './load-program.js';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// Node keeps what it compiles of the libraries, so that the next start need not. A folder that it cannot write to is no error.
enableCompileCache(at('cache'));
const program = loadProgram<typeof import('./run-command-line.js')>(at('bundle/main.cjs'), at('cache'));
process.once('exit', () => program.keep('missing'));
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  // A reader that stops early, such as head, is not an error.
  if (code === 'EPIPE') process.exit(0);
  process.stderr.write(`The output could not be written: ${code === 'ENOSPC' ? 'the disk is full' : message}.\n`);
  process.exit(1);
});
await program.exports.runCommandLine(process.argv.slice(2));
