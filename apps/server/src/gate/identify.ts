import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { limits, type Role, type Scope } from '@recollect/contract';
import { type ApiKeys, LOCAL_USER, RecollectError, type Sessions } from '@recollect/core';
import { type AccessPolicy, isLocalOnly } from '../access-policy.js';
import { isDirect, valuesOf } from './raw-header.js';

const DAY_SECONDS = 86_400;

/** Where browsers send the cookie of a session. */
export interface CookieScope {
  /** Whether only over HTTPS. */
  isSecure: boolean;
  /** The base path of the deployment; empty at the root of a host. */
  path: string;
}

/**
 * On HTTPS, the prefix keeps other hosts and other paths from setting the cookie (RFC 6265bis). Browsers accept
 * `__Host-` for the root only.
 */
function cookieName({ isSecure, path }: CookieScope): string {
  if (!isSecure) return 'recollect';
  return path === '' ? '__Host-recollect' : '__Secure-recollect';
}

/**
 * The session token of a request (SEC-19). Null if there is none, or if there are several: another server on the same
 * host can add a cookie of the same name, and nothing says which one is ours.
 */
export function readSessionCookie(rawHeaders: readonly string[], scope: CookieScope): string | null {
  const name = cookieName(scope);
  const tokens = valuesOf(rawHeaders, 'cookie')
    .flatMap((header) => header.split(';'))
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  const [token] = tokens;
  return token === undefined || tokens.length > 1 ? null : token;
}

/** The Set-Cookie header for a token; null removes the cookie. */
export function sessionCookie(token: string | null, scope: CookieScope): string {
  const age = token === null ? 0 : limits.sessions.days * DAY_SECONDS;
  const secure = scope.isSecure ? '; Secure' : '';
  const path = scope.path || '/';
  return `${cookieName(scope)}=${token ?? ''}; Path=${path}; Max-Age=${age}; HttpOnly; SameSite=Strict${secure}`;
}

/** Headers that only browsers send. */
const PAGE_HEADERS = ['origin', 'sec-fetch-site', 'sec-fetch-dest', 'cookie'];

/** The secret of `server.json` in an Authorization header; undefined for other credentials. */
function readOwnerSecret(authorization: string): string | undefined {
  return /^Owner ([\w-]+)$/.exec(authorization)?.[1];
}

/**
 * SEC-18: whether a command of the owner sent a request. It comes from this machine, with the secret that this server
 * has written to `server.json`, and not from a page or through a proxy.
 */
function isOwnerSecret(request: IncomingMessage, policy: AccessPolicy, sent: string, secret: string): boolean {
  const isPage = PAGE_HEADERS.some((name) => valuesOf(request.rawHeaders, name).length > 0);
  // The digests have the same length, as the comparison requires.
  return isDirect(request, policy) && !isPage && timingSafeEqual(digest(sent, 'sent'), digest(secret, 'sent'));
}

/** Proves to a command that this server knows the secret, without sending it. */
export function proveSecret(secret: string, challenge: string): string {
  return digest(challenge, secret).toString('base64url');
}

function digest(text: string, key: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

/** On whose behalf a request is served. */
export interface Identity {
  userId: string;
  role: Role;
  /** Null for the local user, who may do everything. */
  apiKeyId: string | null;
  /** The key's name, or its first characters. Null for the local user. */
  keyName: string | null;
  /** The session whose cookie was sent. Null for other identities. */
  sessionId: string | null;
  /** Whether a command of the owner sent the request, which knows the secret of `server.json`. */
  isCommand: boolean;
  scopes: readonly Scope[];
  /** Null: as every other client. */
  capturesPerMinute: number | null;
}

const BEARER = /^Bearer ([\w.~+/=-]+)$/i;

/**
 * The identity of a request (KEY-2, KEY-3, SEC-19, PPL-5); null if it has none. A session only counts if the request
 * has no Authorization header. Invalid credentials never fall back to the local user: this throws API_KEY_INVALID, or
 * UNAVAILABLE if keys cannot be read.
 */
export async function identify(
  request: IncomingMessage,
  { apiKeys, sessions }: { apiKeys: ApiKeys; sessions: Sessions },
  {
    policy,
    needsKey,
    sessionToken,
    ownerSecret,
  }: { policy: AccessPolicy; needsKey: boolean; sessionToken: string | null; ownerSecret: string | null },
): Promise<Identity | null> {
  const credentials = valuesOf(request.rawHeaders, 'authorization');
  if (credentials.length === 0) {
    const holder = sessionToken === null ? null : await sessions.authenticate(sessionToken).catch(unavailable);
    // On the owner's machine, another person may have signed in.
    if (!needsKey && (holder === null || holder.userId === LOCAL_USER)) return LOCAL_OWNER;
    return holder && { ...holder, isCommand: false };
  }
  const [sent = ''] = credentials;
  const secret = credentials.length === 1 ? readOwnerSecret(sent) : undefined;
  if (secret !== undefined) {
    if (ownerSecret !== null && isOwnerSecret(request, policy, secret, ownerSecret))
      return { ...LOCAL_OWNER, isCommand: true };
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
  role: 'owner',
  apiKeyId: null,
  keyName: null,
  sessionId: null,
  isCommand: false,
  scopes: ['admin', 'operate'],
  capturesPerMinute: null,
};

function unavailable(cause: unknown): never {
  throw new RecollectError('UNAVAILABLE', 'API keys cannot be checked at the moment. Try again soon.', { cause });
}

/**
 * SEC-6: whether a request provably comes from this machine, and needs no key. If a trusted proxy is configured, any
 * request may come through it.
 */
export function isLocal(request: IncomingMessage, policy: AccessPolicy): boolean {
  return policy.auth === 'optional' && isLocalOnly(policy) && isDirect(request, policy);
}
