import type { IncomingMessage } from 'node:http';
import { LOCAL_USER, RecollectError } from '@recollect/core';
import { type AccessPolicy, isLoopback } from '../access-policy.js';

/** On whose behalf a request is answered. */
export interface Identity {
  userId: string;
}

/** What proxies and tunnels add to a request that they pass on. */
const FORWARDING =
  /^(?:forwarded|via|x-forwarded-.+|x-real-ip|x-client-ip|x-cluster-client-ip|true-client-ip|cf-connecting-ip|fastly-client-ip)$/;

/**
 * KEY-3 and SEC-6: without credentials the local user, when the request provably comes from this machine. Credentials
 * that are sent and are not valid never fall back to that user; no keys are issued yet, so none is valid. Null: nobody.
 */
export function identify(request: IncomingMessage, policy: AccessPolicy): Identity | null {
  if (request.headers.authorization !== undefined) {
    throw new RecollectError(
      'API_KEY_INVALID',
      'The API key is not valid. Leave the Authorization header out on your own machine.',
    );
  }
  const isLocal =
    policy.auth === 'optional' &&
    isLoopback(policy.bind) &&
    isLoopback(request.socket.remoteAddress ?? '') &&
    (policy.publicUrl === null || isLoopback(policy.publicUrl.hostname)) &&
    !Object.keys(request.headers).some((name) => FORWARDING.test(name));
  return isLocal ? { userId: LOCAL_USER } : null;
}

export function authenticationRequired(): RecollectError {
  return new RecollectError(
    'AUTHENTICATION_REQUIRED',
    'This deployment asks for an API key: send Authorization: Bearer and the key.',
  );
}
