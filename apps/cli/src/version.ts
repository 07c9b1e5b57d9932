import { readFileSync } from 'node:fs';

/** The version of the program. */
export const version: string = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;
