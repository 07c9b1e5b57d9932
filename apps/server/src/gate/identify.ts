import type { IncomingMessage } from 'node:http';
import type { Scope } from '@recollect/contract';
import { type ApiKeys, LOCAL_USER, RecollectError } from '@recollect/core';
import { type AccessPolicy, isLocalOnly, isLoopback } from '../access-policy.js';
import { valuesOf } from './raw-header.js';

/** On whose behalf a request is served. */
export interface Identity {
  userId: string;
  /** Null for the local user, who may do everything. */
  apiKeyId: string | null;
  scopes: readonly Scope[];
}

/** Headers that proxies and tunnels add to forwarded requests. */
const FORWARDING =
  /^(?:forwarded|via|cdn-loop|front-end-https|(?:x-)?(?:true-|real-|cluster-|proxy-|wl-proxy-|incap-|do-)?(?:client|connecting)-ip|x-(?:real|remote|proxyuser|originating)-(?:ip|addr)|x-(?:url-)?scheme|x-forwarded(?:-.+)?|x-(?:original|envoy|azure|appengine|arr|amzn)-.+|(?:cf|fly|fastly|tailscale)-.+)$/;
const BEARER = /^Bearer ([\w.~+/=-]+)$/i;

/**
 * The identity of a request (KEY-2, KEY-3); null if it has none. Invalid credentials never fall back to the local user:
 * this throws API_KEY_INVALID, or UNAVAILABLE if keys cannot be read.
 */
export async function identify(
  request: IncomingMessage,
  apiKeys: ApiKeys,
  needsKey: boolean,
): Promise<Identity | null> {
  const credentials = valuesOf(request.rawHeaders, 'authorization');
  if (credentials.length === 0) {
    return needsKey ? null : { userId: LOCAL_USER, apiKeyId: null, scopes: ['admin'] };
  }
  const [sent = ''] = credentials;
  const key = credentials.length === 1 ? BEARER.exec(sent)?.[1] : undefined;
  if (key === undefined) {
    throw new RecollectError('API_KEY_INVALID', 'Send one Authorization header: Bearer, a space, and the API key.');
  }
  const holder = await apiKeys.authenticate(key).catch((cause) => {
    throw new RecollectError('UNAVAILABLE', 'API keys cannot be checked at the moment. Try again soon.', { cause });
  });
  if (holder !== null) return holder;
  throw new RecollectError(
    'API_KEY_INVALID',
    'The API key is invalid, expired or revoked. Create a new one with recollect keys create, or omit it on your own machine.',
  );
}

/**
 * SEC-6: whether a request provably comes from this machine, and needs no key. If a trusted proxy is configured, any
 * request may come through it. Proxies that forward nothing about their client use HTTP/1.0, which no other
 * client still uses.
 */
export function isLocal(request: IncomingMessage, policy: AccessPolicy): boolean {
  return (
    policy.auth === 'optional' &&
    isLocalOnly(policy) &&
    isLoopback(request.socket.remoteAddress ?? '') &&
    request.httpVersion === '1.1' &&
    !Object.keys(request.headers).some((name) => FORWARDING.test(name))
  );
}
