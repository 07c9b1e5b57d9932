import type { Actor } from '../memory.js';
import { displayed } from './displayed.js';

const NAMES: Readonly<Record<Actor['client'], string>> = {
  extension: 'the browser extension',
  bookmarklet: 'the bookmarklet',
  web: 'the web app',
  cli: 'the command line',
  mcp: 'an assistant',
  plugin: 'a plugin',
  http: 'a program',
};

/** Who saved or changed a memory, such as `the assistant Claude, with the key Laptop`. */
export function describeActor({ client, name, key }: Actor): string {
  const who = name === null ? NAMES[client] : client === 'plugin' ? `the plugin ${name}` : `the assistant ${name}`;
  return displayed(key === null ? who : `${who}, with the key ${key}`);
}

/** The same behind a verb, such as `by the assistant Claude`, or `over HTTP` for a program without a name. */
export function byActor(actor: Actor): string {
  if (actor.client !== 'http' || actor.name !== null) return `by ${describeActor(actor)}`;
  return displayed(actor.key === null ? 'over HTTP' : `over HTTP, with the key ${actor.key}`);
}
