import type { Actor } from '../memory.js';
import { displayed } from './displayed.js';

const NAMES: Readonly<Record<Actor['client'], string>> = {
  extension: 'the browser extension',
  bookmarklet: 'the bookmarklet',
  web: 'the web app',
  cli: 'the command line',
  mcp: 'an assistant',
  plugin: 'a plugin',
  http: 'a script',
};

/** Who saved or changed a memory, such as `the assistant Claude, with the key Laptop`. */
export function describeActor({ client, name, key }: Actor): string {
  const who = name === null ? NAMES[client] : client === 'plugin' ? `the plugin ${name}` : `the assistant ${name}`;
  return displayed(key === null ? who : `${who}, with the key ${key}`);
}

/** The same after a verb, such as `by the assistant Claude`. */
export function byActor(actor: Actor): string {
  return `by ${describeActor(actor)}`;
}
