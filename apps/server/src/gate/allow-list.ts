import type { AccessPolicy } from '../access-policy.js';

/** The hosts and origins that a policy comes to at a port. Made once; hosts are in lower case. */
export interface AllowList {
  hosts: ReadonlySet<string>;
  /** Origins of the deployment's own pages. */
  ownOrigins: ReadonlySet<string>;
  /** Origins of others that were allowed by name. */
  otherOrigins: ReadonlySet<string>;
}

const OWN_NAMES = ['127.0.0.1', 'localhost', '[::1]'];
const EVERY_ADDRESS = ['0.0.0.0', '::'];

/**
 * What SEC-1 and SEC-3 go by. A name without a port is let in as a Host with the own port and, for a proxy, as it is; as
 * an origin it has the own port, since another port is another server's.
 */
export function createAllowList(policy: AccessPolicy, port: number): AllowList {
  const { bind, publicUrl, allowedHosts, allowedOrigins } = policy;
  const withPort = (name: string) => (/:\d+$/.test(name) ? [name] : [`${name}:${port}`]);
  const bound = EVERY_ADDRESS.includes(bind) ? [] : [bind.includes(':') ? `[${bind}]` : bind];
  const own = [...OWN_NAMES, ...bound].map((name) => `${name}:${port}`);
  const hosts = [...own, ...allowedHosts, ...allowedHosts.flatMap(withPort)].map((host) => host.toLowerCase());
  const origins = [...own, ...allowedHosts.flatMap(withPort)].map((host) => `http://${host.toLowerCase()}`);
  return {
    hosts: new Set([
      ...hosts,
      // The port that a browser leaves out.
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
