import { assistants } from './assistants.js';
import { captures } from './captures.js';
import { changes } from './changes.js';
import type { Kind } from './kind.js';
import { reads } from './reads.js';

const kinds: readonly Kind[] = [...captures, ...reads, ...changes, ...assistants];
const total = kinds.reduce((sum, { weight }) => sum + weight, 0);

/** A kind of request, by its share. */
export function pickKind(): Kind {
  let left = Math.random() * total;
  const found = kinds.find(({ weight }) => {
    left -= weight;
    return left < 0;
  });
  return found ?? (kinds[0] as Kind);
}
