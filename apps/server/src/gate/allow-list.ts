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

/** What SEC-1 and SEC-3 go by. A name without a port stands for itself and for itself with the own port. */
export function createAllowList(policy: AccessPolicy, port: number): AllowList {
  const { bind, publicUrl, allowedHosts, allowedOrigins } = policy;
  const bound = EVERY_ADDRESS.includes(bind) ? [] : [bind.includes(':') ? `[${bind}]` : bind];
  const own = [...OWN_NAMES, ...bound].flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`]));
  const named = allowedHosts.flatMap((name) => (/:\d+$/.test(name) ? [name] : [name, `${name}:${port}`]));
  const hosts = [...own, ...named].map((host) => host.toLowerCase());
  return {
    hosts: new Set([...hosts, ...(publicUrl === null ? [] : [publicUrl.host])]),
    ownOrigins: new Set([
      ...hosts.map((host) => `http://${host.replace(/:80$/, '')}`),
      ...(publicUrl === null ? [] : [publicUrl.origin]),
    ]),
    otherOrigins: new Set(allowedOrigins),
  };
}
