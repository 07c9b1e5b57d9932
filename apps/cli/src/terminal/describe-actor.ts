import type { Actor } from '@recollect/contract';
import { inert } from './output.js';

const CLIENTS: Readonly<Record<Actor['client'], string>> = {
  extension: 'browser extension',
  bookmarklet: 'bookmarklet',
  web: 'web app',
  cli: 'command line',
  mcp: 'assistant',
  plugin: 'plugin',
  http: 'HTTP',
};

/** Who saved or changed a memory, such as `Claude (assistant)`. */
export function describeActor(actor: Actor | null): string {
  if (actor === null) return 'unknown';
  const { client, name, key } = actor;
  const who = name === null ? CLIENTS[client] : `${inert(name)} (${CLIENTS[client]})`;
  return key === null ? who : `${who}, key ${inert(key)}`;
}
