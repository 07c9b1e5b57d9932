import { Buffer } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { type Client, readClient } from '../caller.js';

/** The longest id that is read; those created here are shorter. */
const MAX_LENGTH = 2_000;

/**
 * Creates an `Mcp-Session-Id` from the client's name and version and a unique part. The server does not store it, so
 * its answers need no state. Like the client's own data in `initialize`, it is an unverified claim and grants nothing.
 */
export function createSessionId(client: Client | null): string {
  return `${randomUUID()}.${Buffer.from(JSON.stringify(client)).toString('base64url')}`;
}

/** Reads the client from a session id; null if it names none or was not made by {@link createSessionId}. */
export function readSessionId(id: string | undefined): Client | null {
  if (id === undefined || id.length > MAX_LENGTH) return null;
  try {
    return readClient(JSON.parse(Buffer.from(id.split('.')[1] ?? '', 'base64url').toString('utf8')));
  } catch {
    return null;
  }
}
