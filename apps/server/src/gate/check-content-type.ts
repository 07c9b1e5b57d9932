import type { IncomingHttpHeaders } from 'node:http';
import type { Operation } from '@recollect/contract';
import { RecollectError } from '@recollect/core';

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

function isType(given: string, type: string): boolean {
  return given.slice(0, type.length).toLowerCase() === type && CHARSET.test(given.slice(type.length));
}

function hasBody(headers: IncomingHttpHeaders): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}
