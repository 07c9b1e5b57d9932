import { RecollectError } from '@recollect/core';
import { isHost } from '../access-policy.js';
import type { AllowList } from './allow-list.js';
import { valuesOf } from './raw-header.js';

/**
 * SEC-1: one Host header, of strict grammar, on the list. A page that rebinds its name to 127.0.0.1 sends its own name
 * here, and nothing else tells it apart.
 */
export function checkHost(rawHeaders: readonly string[], list: AllowList): void {
  const hosts = valuesOf(rawHeaders, 'host');
  const [host] = hosts;
  if (host === undefined || hosts.length > 1) {
    throw new RecollectError('HOST_INVALID', 'Send exactly one Host header.');
  }
  checkHostName(host, list);
}

/** The same for a name that a trusted proxy says it was asked for. */
export function checkHostName(host: string, list: AllowList): void {
  if (isHost(host) && list.hosts.has(host.toLowerCase())) return;
  throw new RecollectError(
    'HOST_NOT_ALLOWED',
    'The Host header names no host that is served here. Use 127.0.0.1 or localhost with the port, or add the name to RECOLLECT_ALLOWED_HOSTS; behind a proxy set RECOLLECT_PUBLIC_URL, with its port if it has one of its own.',
  );
}
