import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { loadProgram } from './load-program.js';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// Node keeps what it compiles of the libraries, so that the next start need not. A read-only folder is not an error.
enableCompileCache(at('cache'));
const program = loadProgram<typeof import('./run-command-line.js')>(at('bundle/main.cjs'), at('cache'));
process.once('exit', () => program.keep('missing'));
// Without a reader, a command still finishes its work: it may be saving many files.
process.stdout.once('error', ({ code, message }: NodeJS.ErrnoException) => {
  process.stdout.on('error', () => {});
  process.stdout.write = () => true;
  // A reader that stops early, such as head, is not an error.
  if (code === 'EPIPE') return;
  process.stderr.write(`The output could not be written: ${code === 'ENOSPC' ? 'the disk is full' : message}.\n`);
  process.exitCode = 1;
});
process.stderr.on('error', () => {});
await program.exports.runCommandLine(process.argv.slice(2));
