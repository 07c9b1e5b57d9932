import { RecollectError } from '@recollect/core';

const KEY = /rec_[0-9a-z]{20}/i;
const PARAMETER = /[?&](?:api[-_]?key|access[-_]?token|authorization|bearer)=/i;

/** SEC-8: addresses end up in logs and histories, so a key in one is refused, valid or not. */
export function checkUrl(url: string): void {
  if (!url.startsWith('/')) {
    throw new RecollectError('REQUEST_MALFORMED', 'Send the path alone as the request target, beginning with a slash.');
  }
  const decoded = url.includes('%') ? decode(url) : url;
  if (!KEY.test(decoded) && !PARAMETER.test(decoded)) return;
  throw new RecollectError(
    'API_KEY_IN_URL',
    'An API key does not belong in a URL. Send it as Authorization: Bearer and the key; revoke this one if it was real.',
  );
}

function decode(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}
