import type { AccessPolicy } from '../access-policy.js';

/** The hosts and origins that a policy allows at a port. Hosts are in lower case. */
export interface AllowList {
  hosts: ReadonlySet<string>;
  /** Origins of the deployment's own pages. */
  ownOrigins: ReadonlySet<string>;
  /** Other origins that the configuration allows. */
  otherOrigins: ReadonlySet<string>;
}

const OWN_NAMES = ['127.0.0.1', 'localhost', '[::1]'];
const WILDCARD_ADDRESSES = ['0.0.0.0', '::'];

/**
 * Creates the lists for SEC-1 and SEC-3. A name without a port is allowed as a Host with the server's port and, for
 * proxies, without a port. As an origin it has the server's port, since another port belongs to another server.
 */
export function createAllowList(policy: AccessPolicy, port: number): AllowList {
  const { bind, publicUrl, allowedHosts, allowedOrigins } = policy;
  const withPort = (name: string) => (/:\d+$/.test(name) ? [name] : [`${name}:${port}`]);
  const bound = WILDCARD_ADDRESSES.includes(bind) ? [] : [bind.includes(':') ? `[${bind}]` : bind];
  const own = [...OWN_NAMES, ...bound].map((name) => `${name}:${port}`);
  const hosts = [...own, ...allowedHosts, ...allowedHosts.flatMap(withPort)].map((host) => host.toLowerCase());
  const origins = [...own, ...allowedHosts.flatMap(withPort)].map((host) => `http://${host.toLowerCase()}`);
  return {
    hosts: new Set([
      ...hosts,
      // Browsers omit the default port.
      ...(port === 80 ? hosts.map((host) => host.replace(/:80$/, '')) : []),
      ...(publicUrl === null ? [] : [publicUrl.host]),
    ]),
    ownOrigins: new Set([
      ...origins.map((origin) => origin.replace(/:80$/, '')),
      ...(publicUrl === null ? [] : [publicUrl.origin]),
    ]),
    otherOrigins: new Set(allowedOrigins),
  };
}
