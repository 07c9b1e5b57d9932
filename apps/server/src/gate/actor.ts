import type { Actor } from '@recollect/contract';
import type { Origin } from './check-origin.js';
import type { Identity } from './identify.js';

/** Who makes a request, for the history of what it changes. Only the key distinguishes plain HTTP clients. */
export function actorOf({ sender, isExtension }: Origin, identity: Identity | null): Actor {
  if (identity?.isCommand === true) return { client: 'cli', name: null, key: null };
  const client = isExtension ? 'extension' : sender === 'own' ? 'web' : 'http';
  return { client, name: null, key: identity?.keyName ?? null };
}
