import { Buffer } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { type Client, readClient } from '../caller.js';

/** The longest that is read; those that are made here are shorter. */
const MOST = 2_000;

/**
 * What `Mcp-Session-Id` says: who the client is, and a name that no other has. The server keeps nothing of it, so that its
 * answers need no state. It is a claim, as the client's own words to `initialize` are, and allows nothing.
 */
export function createSessionId(client: Client | null): string {
  return `${randomUUID()}.${Buffer.from(JSON.stringify(client)).toString('base64url')}`;
}

/** The client that a session id tells of; null for one that tells of none or was not made by {@link createSessionId}. */
export function readSessionId(id: string | undefined): Client | null {
  if (id === undefined || id.length > MOST) return null;
  try {
    return readClient(JSON.parse(Buffer.from(id.split('.')[1] ?? '', 'base64url').toString('utf8')));
  } catch {
    return null;
  }
}
