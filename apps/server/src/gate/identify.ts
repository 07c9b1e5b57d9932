import type { IncomingMessage } from 'node:http';
import type { Scope } from '@recollect/contract';
import { type ApiKeys, LOCAL_USER, RecollectError, type Sessions } from '@recollect/core';
import { type AccessPolicy, isLocalOnly } from '../access-policy.js';
import { isDirect } from './is-direct.js';
import { isOwnerSecret, readOwnerSecret } from './owner-secret.js';
import { valuesOf } from './raw-header.js';

/** On whose behalf a request is served. */
export interface Identity {
  userId: string;
  /** Null for the local user, who may do everything. */
  apiKeyId: string | null;
  /** The key's name, or its first characters. Null for the local user. */
  keyName: string | null;
  /** The session whose cookie was sent. Null for other identities. */
  sessionId: string | null;
  /** Whether a command of the owner sent the request, which knows the secret of `server.json`. */
  isCommand: boolean;
  scopes: readonly Scope[];
}

const BEARER = /^Bearer ([\w.~+/=-]+)$/i;

/**
 * The identity of a request (KEY-2, KEY-3, SEC-19); null if it has none. A session only counts if the request has no
 * Authorization header. Invalid credentials never fall back to the local user:
 * this throws API_KEY_INVALID, or UNAVAILABLE if keys cannot be read.
 */
export async function identify(
  request: IncomingMessage,
  { apiKeys, sessions }: { apiKeys: ApiKeys; sessions: Sessions },
  {
    needsKey,
    sessionToken,
    ownerSecret,
  }: { needsKey: boolean; sessionToken: string | null; ownerSecret: string | null },
): Promise<Identity | null> {
  const credentials = valuesOf(request.rawHeaders, 'authorization');
  if (credentials.length === 0) {
    if (!needsKey) return LOCAL_OWNER;
    const holder = sessionToken === null ? null : await sessions.authenticate(sessionToken).catch(unavailable);
    return holder && { ...holder, isCommand: false };
  }
  const [sent = ''] = credentials;
  const secret = credentials.length === 1 ? readOwnerSecret(sent) : undefined;
  if (secret !== undefined) {
    if (ownerSecret !== null && isOwnerSecret(request, secret, ownerSecret)) return { ...LOCAL_OWNER, isCommand: true };
    throw new RecollectError('API_KEY_INVALID', 'The secret of server.json was not accepted. Run the command again.');
  }
  const key = credentials.length === 1 ? BEARER.exec(sent)?.[1] : undefined;
  if (key === undefined) {
    throw new RecollectError('API_KEY_INVALID', 'Send one Authorization header: Bearer, a space, and the API key.');
  }
  const holder = await apiKeys.authenticate(key).catch(unavailable);
  if (holder !== null) return { ...holder, sessionId: null, isCommand: false };
  throw new RecollectError(
    'API_KEY_INVALID',
    'The API key is invalid, expired or revoked. Create a new one with recollect keys create, or omit it on your own machine.',
  );
}

const LOCAL_OWNER: Identity = {
  userId: LOCAL_USER,
  apiKeyId: null,
  keyName: null,
  sessionId: null,
  isCommand: false,
  scopes: ['admin'],
};

function unavailable(cause: unknown): never {
  throw new RecollectError('UNAVAILABLE', 'API keys cannot be checked at the moment. Try again soon.', { cause });
}

/**
 * SEC-6: whether a request provably comes from this machine, and needs no key. If a trusted proxy is configured, any
 * request may come through it.
 */
export function isLocal(request: IncomingMessage, policy: AccessPolicy): boolean {
  return policy.auth === 'optional' && isLocalOnly(policy) && isDirect(request);
}
