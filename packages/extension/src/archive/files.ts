import { readFileSync } from 'node:fs';

/** A file that the build has made for browsers. */
export function builtFile(name: string): Buffer {
  return readFileSync(new URL(`../browser/${name}`, import.meta.url));
}
