import type { Actor, Scope } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import type { Core } from '@recollect/core';
import { inertLine } from './quoting/inert-text.js';

/** The program that an assistant runs in, as it identifies itself. */
export interface Client {
  name: string;
  version: string;
}

/** The sender of the messages, and its permissions. */
export interface Caller {
  userId: string;
  scopes: readonly Scope[];
  /** The name of the API key that was used, or its first characters. Null for the local user. */
  keyName: string | null;
  /** Null until the client has identified itself. */
  client: Client | null;
}

/** The caller, for the history of changed memories. */
export function actorOf({ client, keyName }: Pick<Caller, 'client' | 'keyName'>): Actor {
  return { client: 'mcp', name: client?.name ?? null, key: keyName };
}

/** Whether a caller has a scope; `admin` includes all others. */
export const hasScope = ({ scopes }: Pick<Caller, 'scopes'>, scope: Scope): boolean =>
  scopes.includes(scope) || scopes.includes('admin');

/** The name and version that a client reports, as inert lines; null if it reports no name. */
export function readClient(clientInfo: unknown): Client | null {
  const { name, version } = (clientInfo ?? {}) as { name?: unknown; version?: unknown };
  const shown = (text: unknown) => (typeof text === 'string' ? inertLine(text, limits.mcp.clientLength) : '');
  return shown(name) === '' ? null : { name: shown(name), version: shown(version) };
}

/** The dependencies of the handlers of a client's messages. */
export interface Session {
  core: Core;
  caller: Caller;
  /** Receives internal errors, which the client did not cause. */
  report: (error: unknown) => void;
}
