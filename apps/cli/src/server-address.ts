import type { Configuration } from './config.js';

/** The address at which a server with this configuration is reached from this machine. */
export function localAddress({ policy, port }: Pick<Configuration, 'policy' | 'port'>): string {
  // A server that listens on all addresses can be reached from this machine at this one.
  const bind = policy.bind === '0.0.0.0' || policy.bind === '::' ? '127.0.0.1' : policy.bind;
  return `http://${bind.includes(':') ? `[${bind}]` : bind}:${port}`;
}
