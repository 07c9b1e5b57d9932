import type { Role, Scope } from '@recollect/contract';
import { LOCAL_USER } from '../memory.js';
import type { CorePorts } from '../ports/core-ports.js';
import type { StoredApiKey } from '../ports/index.js';

/** The user of a key and its scopes. */
export interface KeyHolder {
  userId: string;
  role: Role;
  apiKeyId: string;
  /** The key's name, or its first characters. */
  keyName: string;
  /** The scopes of the key that the role of its person allows. */
  scopes: readonly Scope[];
  /** How many captures a minute the person may send. Null: as every other client. */
  capturesPerMinute: number | null;
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
  const access = await accessOf(users, userId);
  if (access === null) return null;
  const { role, capturesPerMinute } = access;
  return { userId, role, apiKeyId: id, keyName: name ?? prefix, scopes: scopesOf(role, scopes), capturesPerMinute };
}

/** The role and rate of a person. Null if they are unknown or may not use the deployment. */
export async function accessOf(
  users: CorePorts['users'],
  userId: string,
): Promise<Pick<KeyHolder, 'role' | 'capturesPerMinute'> | null> {
  if (userId === LOCAL_USER) return { role: 'owner', capturesPerMinute: null };
  const user = await users.find(userId);
  return user?.state === 'active' ? { role: user.role, capturesPerMinute: user.quota.capturesPerMinute } : null;
}

/**
 * The scopes of a key that a role allows. An owner's `admin` includes `operate`, as it does on keys from before there
 * were two scopes.
 *
 * @example
 * scopesOf('owner', ['admin']); // ['admin', 'operate']
 * scopesOf('member', ['admin', 'operate']); // ['admin']
 * scopesOf('guest', ['admin']); // ['memory:read']
 */
export function scopesOf(role: Role, scopes: readonly Scope[]): readonly Scope[] {
  if (role === 'guest') return scopes.includes('memory:read') || scopes.includes('admin') ? ['memory:read'] : [];
  const others = scopes.filter((scope) => scope !== 'operate');
  if (role === 'member') return others;
  return scopes.length > others.length || scopes.includes('admin') ? [...others, 'operate'] : scopes;
}
