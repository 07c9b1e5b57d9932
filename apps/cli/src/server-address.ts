import { SYSTEMD_SOCKET, unixPathOf } from '@recollect/server/access-policy';
import type { Configuration } from './config.js';

/**
 * The address at which a server with this configuration is reached from this machine. `unix:` and the path for a Unix
 * socket. Null if systemd opens the socket: systemd tells only the server where it is.
 */
export function localAddress({ policy, port }: Pick<Configuration, 'policy' | 'port'>): string | null {
  if (policy.bind === SYSTEMD_SOCKET) return null;
  if (unixPathOf(policy.bind) !== null) return policy.bind;
  const { bind } = policy;
  return fromHere(`http://${bind.includes(':') ? `[${bind}]` : bind}:${port}`);
}

/** The address at which this machine reaches a server: one that listens on all addresses is reached at loopback. */
export function fromHere(address: string): string {
  return address.replace(/\/\/(?:0\.0\.0\.0|\[::\])(?=:)/, '//127.0.0.1');
}
