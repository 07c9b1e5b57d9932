import { clients } from '@recollect/contract/vocabulary';

/** Stands for an API key, with whichever client it was used. */
const KEY = 'key';

/**
 * Reads who saved a memory: the kind of client in lower case, with the name of one assistant or plugin as it was given; or `key`
 * and the name of an API key. Null if the kind is unknown.
 *
 * @example
 * readBy('MCP:Claude Code'); // 'mcp:Claude Code'
 */
export function readBy(text: string): string | null {
  const [kind = '', ...name] = text.trim().split(':');
  const client = [...clients, KEY].find((known) => known === kind.trim().toLowerCase());
  const given = name.join(':').trim();
  if (client === undefined || (client === KEY && given === '')) return null;
  return given === '' ? client : `${client}:${given}`;
}
