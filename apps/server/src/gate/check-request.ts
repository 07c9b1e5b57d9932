import type { IncomingHttpHeaders } from 'node:http';
import type { Operation, Scope } from '@recollect/contract';
import { RecollectError } from '@recollect/core';

import type { Sender } from './check-origin.js';
import type { Identity } from './identify.js';

const CHARSET = /^(?:\s*;\s*charset\s*=\s*"?utf-8"?)?\s*$/i;

/**
 * SEC-2: a request that changes something declares its content as JSON, or as bytes or lines of JSON for an import. A
 * browser asks with a preflight before it sends that type for another site's page; the types that it sends without
 * asking are rejected. It always asks before a DELETE, which has to declare its content only when it has any.
 */
export function checkContentType(
  method: string,
  headers: IncomingHttpHeaders,
  types: NonNullable<Operation['consumes']> | readonly ['application/json'] = ['application/json'],
): void {
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return;
  if (method === 'DELETE' && headers['content-type'] === undefined && !hasBody(headers)) return;
  if (!types.some((type) => isType(headers['content-type'] ?? '', type))) {
    const accepted = types.join(' or ');
    throw new RecollectError(
      'MEDIA_TYPE_UNSUPPORTED',
      method === 'DELETE'
        ? `Send Content-Type: ${accepted}, or no body.`
        : `Send Content-Type: ${accepted}. Required even when the body is empty.`,
    );
  }
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw new RecollectError('MEDIA_TYPE_UNSUPPORTED', 'Send the body without Content-Encoding.');
  }
}

function isType(contentType: string, type: string): boolean {
  return contentType.slice(0, type.length).toLowerCase() === type && CHARSET.test(contentType.slice(type.length));
}

function hasBody(headers: IncomingHttpHeaders): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

const KEY = /rec_[0-9a-z]{20}/i;
const PARAMETER = /^(?:api[-_]?key|key|access[-_]?token|token|authorization|bearer)$/i;

/** SEC-8: URLs end up in logs and histories, so a key in a URL is rejected, even an invalid one. */
export function checkUrl(url: string): void {
  if (!url.startsWith('/')) {
    throw new RecollectError('REQUEST_MALFORMED', 'Send only the path as the request target, starting with a slash.');
  }
  const [path = '', ...query] = url.split('?');
  const parameters = query
    .join('?')
    .split(/[&;]/)
    .map((parameter) => parameter.split('='));
  const hasKey = KEY.test(decode(path)) || parameters.flat().some((part) => KEY.test(decode(part)));
  if (!hasKey && !parameters.some(([name = '']) => PARAMETER.test(withoutIndex(decode(name))))) return;
  throw new RecollectError(
    'API_KEY_IN_URL',
    'API keys are not accepted in URLs. Send the key as Authorization: Bearer <key>, and revoke this one if it was real.',
  );
}

/** The name of a parameter without an index in brackets. */
function withoutIndex(name: string): string {
  const bracket = name.indexOf('[');
  return bracket < 0 ? name : name.slice(0, bracket);
}

/** Decodes only percent-encoded ASCII, even in a malformed text, and also if it was encoded repeatedly. */
function decode(text: string): string {
  let decoded = text;
  for (let round = 0; round < 3 && decoded.includes('%'); round++) {
    decoded = decoded.replace(/%([0-7][0-9a-f])/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
  }
  return decoded;
}

/** The scopes that include a scope. */
function holdersOf(scope: Scope): readonly Scope[] {
  if (scope === 'operate') return [scope];
  return scope === 'jobs:run' ? [scope, 'jobs:manage', 'admin'] : [scope, 'admin'];
}

/** Throws unless an identity may use operations of a scope (SEC-8, SEC-9, PPL-3). */
export function checkScope(identity: Identity | null, sender: Sender, scope: Operation['scope']): void {
  if (scope === 'public') return;
  if (identity === null) {
    throw new RecollectError(
      'AUTHENTICATION_REQUIRED',
      'An API key is required. Create one with recollect keys create and send it as Authorization: Bearer <key>.',
    );
  }
  if (scope === 'any') return;
  const { scopes, apiKeyId, role } = identity;
  if (!holdersOf(scope).some((holder) => scopes.includes(holder))) {
    if (role !== 'owner' && scope === 'operate')
      throw new RecollectError(
        'OWNER_ONLY',
        'Only people who operate this deployment may do this. Ask the person who invited you.',
      );
    if (role === 'guest')
      throw new RecollectError('SCOPE_MISSING', `Guests can only read. This needs the scope ${scope}.`);
    throw new RecollectError('SCOPE_MISSING', `This API key lacks the scope ${scope}.`);
  }
  const isOwner = sender === 'program' || sender === 'own' || (sender === 'unmarked' && apiKeyId !== null);
  if ((scope === 'admin' || scope === 'operate') && !isOwner) {
    throw new RecollectError(
      'OWNER_ONLY',
      'Only the owner may do this, from a program, the command line or a page of this server.',
    );
  }
}
