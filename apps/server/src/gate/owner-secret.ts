import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isDirect } from './is-direct.js';
import { valuesOf } from './raw-header.js';

/** What only browsers send. */
const PAGE_HEADERS = ['origin', 'sec-fetch-site', 'sec-fetch-dest', 'cookie'];

/** The secret of `server.json` in an Authorization header; undefined for other credentials. */
export function readOwnerSecret(authorization: string): string | undefined {
  return /^Owner ([\w-]+)$/.exec(authorization)?.[1];
}

/**
 * SEC-18: whether a command of the owner sent a request. It comes from this machine, with the secret that this server
 * has written to `server.json`, and not from a page or through a proxy.
 */
export function isOwnerSecret(request: IncomingMessage, sent: string, secret: string): boolean {
  const isPage = PAGE_HEADERS.some((name) => valuesOf(request.rawHeaders, name).length > 0);
  // The digests have the same length, as the comparison requires.
  return isDirect(request) && !isPage && timingSafeEqual(digest(sent, 'sent'), digest(secret, 'sent'));
}

/** Proves to a command that this server knows the secret, without sending it. */
export function proveSecret(secret: string, challenge: string): string {
  return digest(challenge, secret).toString('base64url');
}

function digest(text: string, key: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
