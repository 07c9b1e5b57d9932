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
  /** Addresses and networks (CIDR) whose `X-Forwarded-*` headers count. */
  trustedProxies: readonly string[];
  /** Whether requests a minute are limited. */
  limitsRequests: boolean;
}

/** What holds where nothing is configured. */
export const defaultPolicy: AccessPolicy = {
  bind: '127.0.0.1',
  auth: 'optional',
  publicUrl: null,
  allowedHosts: [],
  allowedOrigins: [],
  trustedProxies: [],
  limitsRequests: true,
};

const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|localhost|\[?::1\]?|::ffff:127(?:\.\d{1,3}){3})$/i;

/** Whether an address or host name is this machine's own. */
export function isLoopback(address: string): boolean {
  return LOOPBACK.test(address);
}

/** Whether a deployment is for this machine alone: nothing in its configuration speaks of others that reach it. */
export function isForThisMachine({ bind, publicUrl, trustedProxies }: AccessPolicy): boolean {
  return isLoopback(bind) && (publicUrl === null || isLoopback(publicUrl.hostname)) && trustedProxies.length === 0;
}

/** Browsers have `chrome-extension:`, `moz-extension:` and, with its id in capitals, `safari-web-extension:`. */
const EXTENSION = /^[a-z][a-z-]{0,30}-extension:\/\/[0-9A-Za-z-]{1,64}$/;

/** Whether an origin is that of a browser extension. */
export function isExtensionOrigin(origin: string): boolean {
  return EXTENSION.test(origin);
}

const HOST = /^(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

/** Whether a text is a host name or address with an optional port, and nothing of a URL beyond that: no user, no path, no white space. */
export function isHost(text: string): boolean {
  return HOST.test(text);
}
