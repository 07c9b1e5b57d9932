import { RecollectError } from '@recollect/core';
import type { AccessPolicy } from '../access-policy.js';

/** A host name or address with an optional port, and nothing of a URL beyond that: no user, no path, no white space. */
const HOST = /^(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;
const OWN_NAMES = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * SEC-1: one Host header, of strict grammar, on the list. A page that rebinds its name to 127.0.0.1 sends its own name
 * here, and nothing else tells it apart. `rawHeaders` are names and values in turn, as they came.
 */
export function checkHost(rawHeaders: readonly string[], port: number, policy: AccessPolicy): void {
  const hosts = rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === 'host');
  const [host] = hosts;
  if (host === undefined || hosts.length > 1) {
    throw new RecollectError('HOST_INVALID', 'Send exactly one Host header.');
  }
  if (!HOST.test(host) || !allowedHosts(port, policy).has(host.toLowerCase())) {
    throw new RecollectError(
      'HOST_NOT_ALLOWED',
      'The Host header names no host that is served here. Use 127.0.0.1 or localhost with the port, or add the name to RECOLLECT_ALLOWED_HOSTS.',
    );
  }
}

function allowedHosts(port: number, { publicUrl, allowedHosts: further }: AccessPolicy): Set<string> {
  const withPort = (name: string) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`]);
  const named = further.flatMap((name) => (/:\d+$/.test(name) ? [name] : [name, `${name}:${port}`]));
  const hosts = [...OWN_NAMES.flatMap(withPort), ...(publicUrl === null ? [] : [publicUrl.host]), ...named];
  return new Set(hosts.map((host) => host.toLowerCase()));
}
