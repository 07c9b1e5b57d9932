#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// Node keeps the compiled modules, so that the next start need not compile them. A folder that it cannot write to is no error.
enableCompileCache(fileURLToPath(new URL('cache', import.meta.url)));
await import('./main.js');
