import { readFileSync } from 'node:fs';

/** Reads a file that the build made for browsers. */
export function builtFile(name: string): Buffer {
  return readFileSync(new URL(`../browser/${name}`, import.meta.url));
}
