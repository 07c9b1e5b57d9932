import type { Scope } from '@recollect/contract';
import { LOCAL_USER } from '../memory.js';
import type { CorePorts } from '../ports/core-ports.js';
import type { StoredApiKey } from '../ports/index.js';

/** The user of a key and its scopes. */
export interface KeyHolder {
  userId: string;
  apiKeyId: string;
  /** The key's name, or its first characters. */
  keyName: string;
  scopes: readonly Scope[];
}

/**
 * Returns the holder of a key. Null if the key has expired, or if its person is unknown or may not use the deployment.
 * The local user always may, so that a store of one person reads no more than the key.
 */
export async function holderOf(
  users: CorePorts['users'],
  { userId, id, name, prefix, scopes, expiresAt }: StoredApiKey,
  now: Date,
): Promise<KeyHolder | null> {
  if (expiresAt !== null && Date.parse(expiresAt) <= now.getTime()) return null;
  const isActive = userId === LOCAL_USER || (await users.find(userId))?.state === 'active';
  return isActive ? { userId, apiKeyId: id, keyName: name ?? prefix, scopes } : null;
}
