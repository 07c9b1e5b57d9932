import type { Actor } from '../memory.js';

const FIELD_NAMES: Readonly<Record<string, string>> = { starred: 'star', readState: 'read state' };

/**
 * Names the fields that a change replaced, for the history. A read state includes its progress.
 *
 * @example
 * describeFields(['title', 'readState', 'progress']); // 'title, read state'
 */
export function describeFields(fields: readonly string[]): string {
  return fields
    .filter((field) => field !== 'progress' || !fields.includes('readState'))
    .map((field) => FIELD_NAMES[field] ?? field)
    .join(', ');
}

const NAMES: Readonly<Record<Actor['client'], string>> = {
  extension: 'the browser extension',
  bookmarklet: 'the bookmarklet',
  web: 'the web app',
  cli: 'the command line',
  mcp: 'an assistant',
  plugin: 'a plugin',
  http: 'a script',
};

/** The actor that saved or changed a memory, such as `the assistant Claude, with the key Laptop`. */
export function describeActor({ client, name, key }: Actor): string {
  const who = name === null ? NAMES[client] : client === 'plugin' ? `the plugin ${name}` : `the assistant ${name}`;
  return displayed(key === null ? who : `${who}, with the key ${key}`);
}

/** The same after a verb, such as `by the assistant Claude`. */
export function byActor(actor: Actor): string {
  return `by ${describeActor(actor)}`;
}

/**
 * Removes the control characters that change text direction, so that `gnp.exe` cannot pose as `exe.png`. Isolated
 * right-to-left text (`dir="auto"`, `<bdi>`) does not need them.
 *
 * @example
 * displayed('user\u202egnp.exe') // 'usergnp.exe'
 */
export function displayed(text: string): string {
  return text.replace(/\p{Bidi_Control}+/gu, '');
}
