import { readFileSync } from 'node:fs';

/** The release, the commit and a checksum of the program, such as `0.1.0+d3bbf28e.4f2a91c0` (CLI-8). */
export const version: string = JSON.parse(readFileSync(new URL('../dist/build.json', import.meta.url), 'utf8')).version;
