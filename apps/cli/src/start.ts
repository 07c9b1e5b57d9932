#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { loadProgram } from './load-program.js';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// Node keeps what it compiles of the libraries, so that the next start need not. A folder that it cannot write to is no error.
enableCompileCache(at('cache'));
const program = loadProgram<typeof import('./main.js')>(at('bundle/main.cjs'), at('cache'));
process.once('exit', () => program.keep('missing'));
await program.exports.main(process.argv.slice(2));
