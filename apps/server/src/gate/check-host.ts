import { RecollectError } from '@recollect/core';
import { isHost } from '../access-policy.js';
import type { AllowList } from './allow-list.js';
import { valuesOf } from './raw-header.js';

/**
 * SEC-1: there must be exactly one Host header, well-formed and on the list. After DNS rebinding to 127.0.0.1, a page
 * still sends its own name here, and nothing else gives it away.
 */
export function checkHost(rawHeaders: readonly string[], list: AllowList): void {
  const hosts = valuesOf(rawHeaders, 'host');
  const [host] = hosts;
  if (host === undefined || hosts.length > 1) {
    throw new RecollectError('HOST_INVALID', 'Send exactly one Host header.');
  }
  checkHostName(host, list);
}

/** The same check for a host name that a trusted proxy reports. */
export function checkHostName(host: string, list: AllowList): void {
  if (isHost(host) && list.hosts.has(host.toLowerCase())) return;
  throw new RecollectError(
    'HOST_NOT_ALLOWED',
    'The host name is not allowed. Use 127.0.0.1 or localhost with the port, or add the name to RECOLLECT_ALLOWED_HOSTS. Behind a proxy, set RECOLLECT_PUBLIC_URL, with its port unless it is the default.',
  );
}
