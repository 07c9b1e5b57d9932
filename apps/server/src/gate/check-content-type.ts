import type { IncomingHttpHeaders } from 'node:http';
import { RecollectError } from '@recollect/core';

const JSON_TYPE = /^application\/json(?:\s*;\s*charset\s*=\s*"?utf-8"?)?\s*$/i;

/**
 * SEC-2: a request that changes something declares its content as JSON. A browser asks with a preflight before it sends
 * that type for another site's page; the types that it sends without asking are rejected. It always asks before a DELETE,
 * which has to declare its content only when it has any.
 */
export function checkContentType(method: string, headers: IncomingHttpHeaders): void {
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return;
  if (method === 'DELETE' && headers['content-type'] === undefined && !hasBody(headers)) return;
  if (!JSON_TYPE.test(headers['content-type'] ?? '')) {
    throw new RecollectError(
      'MEDIA_TYPE_UNSUPPORTED',
      method === 'DELETE'
        ? 'Send Content-Type: application/json, or no body.'
        : 'Send Content-Type: application/json. Required even when the body is empty.',
    );
  }
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw new RecollectError('MEDIA_TYPE_UNSUPPORTED', 'Send the body without Content-Encoding.');
  }
}

function hasBody(headers: IncomingHttpHeaders): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}
