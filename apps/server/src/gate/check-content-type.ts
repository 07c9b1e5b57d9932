import { RecollectError } from '@recollect/core';

const JSON_TYPE = /^application\/json(?:\s*;\s*charset\s*=\s*"?utf-8"?)?\s*$/i;

/**
 * SEC-2: whatever changes something names its content as JSON, also without a body. A browser asks first before it sends
 * that type for another site's page; the types it sends unasked are refused.
 */
export function checkContentType(method: string, contentType: string | undefined, encoding: string | undefined): void {
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return;
  if (contentType === undefined || !JSON_TYPE.test(contentType)) {
    throw new RecollectError(
      'MEDIA_TYPE_UNSUPPORTED',
      'Send Content-Type: application/json, also when the body is empty.',
    );
  }
  if (encoding !== undefined && encoding !== 'identity') {
    throw new RecollectError('MEDIA_TYPE_UNSUPPORTED', 'Send the body as it is, without Content-Encoding.');
  }
}
