import { clients } from '../vocabulary.js';

/** Stands for an API key, used with any client. */
const KEY = 'key';

/**
 * Reads who saved a memory: the kind of client in lower case, perhaps with the name of one assistant or plugin as it
 * was given; or `key` and the name of an API key. An empty name stands for clients that gave none. Null if the kind is
 * unknown.
 *
 * @example
 * readBy('MCP:Claude Code'); // 'mcp:Claude Code'
 * readBy('mcp:'); // 'mcp:', unlike 'mcp', which stands for all assistants
 */
export function readBy(text: string): string | null {
  const [kind = '', ...rest] = text.trim().split(':');
  const client = [...clients, KEY].find((known) => known === kind.trim().toLowerCase());
  const name = rest.join(':').trim();
  if (client === undefined || (client === KEY && name === '')) return null;
  return rest.length === 0 ? client : `${client}:${name}`;
}
