import type { Scope } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { inertLine } from './quoting/inert-text.js';

/** Which program an assistant runs in, as it calls itself. */
export interface Client {
  name: string;
  version: string;
}

/** On whose behalf messages are answered. */
export interface Caller {
  userId: string;
  scopes: readonly Scope[];
  /** Null until the client has said who it is. */
  client: Client | null;
}

/** Whether a caller has a scope; `admin` contains the others. */
export const mayDo = ({ scopes }: Pick<Caller, 'scopes'>, scope: Scope): boolean =>
  scopes.includes(scope) || scopes.includes('admin');

/** How a client calls itself, as far as it can be kept; null where it does not. */
export function readClient(given: unknown): Client | null {
  const { name, version } = (given ?? {}) as { name?: unknown; version?: unknown };
  const shown = (text: unknown) => (typeof text === 'string' ? inertLine(text, limits.mcp.clientLength) : '');
  return shown(name) === '' ? null : { name: shown(name), version: shown(version) };
}
