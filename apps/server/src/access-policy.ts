/** Who may come in, decided once from configuration. */
export interface AccessPolicy {
  /** Address that the server listens on. */
  bind: string;
  /** `required`: nobody is let in without a key. */
  auth: 'optional' | 'required';
  /** Address that the deployment is reached at from outside; null when that is the bind. */
  publicUrl: URL | null;
  /** Further names of the Host header, with or without a port. */
  allowedHosts: readonly string[];
  /** Further origins that may use the service from a browser. */
  allowedOrigins: readonly string[];
}

const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|localhost|\[?::1\]?|::ffff:127(?:\.\d{1,3}){3})$/i;

/** Whether an address or host name is this machine's own. */
export function isLoopback(address: string): boolean {
  return LOOPBACK.test(address);
}
