import { clients } from '@recollect/contract/vocabulary';

/**
 * Reads who saved a memory: the kind of client in lower case, with the name of one assistant or plugin as it was given. Null if
 * the kind is unknown.
 *
 * @example
 * readBy('MCP:Claude Code'); // 'mcp:Claude Code'
 */
export function readBy(text: string): string | null {
  const [kind = '', ...name] = text.trim().split(':');
  const client = clients.find((known) => known === kind.trim().toLowerCase());
  if (client === undefined) return null;
  const given = name.join(':').trim();
  return given === '' ? client : `${client}:${given}`;
}
