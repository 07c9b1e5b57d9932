/** The access policy of the server, decided once from the configuration. */
export interface AccessPolicy {
  /** Where the server listens: an address, `unix:` and the path of a socket, or {@link SYSTEMD_SOCKET}. */
  bind: string;
  /** `required`: a request without an API key is never served as the local user. */
  auth: 'optional' | 'required';
  /** Public URL of the deployment, which may have a path; null if it is the same as the bind address. */
  publicUrl: URL | null;
  /** Additional names allowed in the Host header, with or without a port. */
  allowedHosts: readonly string[];
  /** Additional origins that may use the server from a browser. */
  allowedOrigins: readonly string[];
  /** Addresses and networks (CIDR) whose `X-Forwarded-*` headers are trusted. */
  trustedProxies: readonly string[];
  /** Whether requests are rate-limited. */
  limitsRequests: boolean;
  accounts: AccountsPolicy;
  /** Whether people may publish tags and searches as pages that need no key (SHR-4). */
  publicPages: boolean;
}

/** How people sign in. */
export interface AccountsPolicy {
  /** Whether the sign-in offers passkeys before anyone has been invited. */
  isOn: boolean;
  /** The provider of identities (OpenID Connect). Null without one. */
  provider: ProviderPolicy | null;
}

export interface ProviderPolicy {
  issuer: URL;
  clientId: string;
  /** Null for a public client. */
  clientSecret: string | null;
  /** The name on the button. */
  name: string;
  /** The claim with the roles of a person. Null: the provider gives no roles. */
  roleClaim: string | null;
  /** Whether everyone with an account there becomes a member. Otherwise only invited addresses may sign in. */
  signsUp: boolean;
}

/** The bind that stands for a socket that systemd has opened. */
export const SYSTEMD_SOCKET = 'systemd';

const UNIX = 'unix:';

/** The path of the Unix socket that a bind names; null for an address. Empty if systemd has opened the socket. */
export function unixPathOf(bind: string): string | null {
  return bind.startsWith(UNIX) ? bind.slice(UNIX.length) : null;
}

/**
 * Whether peers of a server can be trusted proxies: the configuration names some, or it listens at a Unix socket, which
 * only accounts of this machine reach, by the permissions of its file.
 */
export function trustsPeers({ bind, trustedProxies }: AccessPolicy): boolean {
  return trustedProxies.length > 0 || unixPathOf(bind) !== null;
}

/** The policy without any configuration. */
export const defaultPolicy: AccessPolicy = {
  bind: '127.0.0.1',
  auth: 'optional',
  publicUrl: null,
  allowedHosts: [],
  allowedOrigins: [],
  trustedProxies: [],
  limitsRequests: true,
  accounts: { isOn: false, provider: null },
  publicPages: true,
};

const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|localhost|\[?::1\]?|::ffff:127(?:\.\d{1,3}){3})$/i;

/** Whether an address or host name is a loopback one. */
export function isLoopback(address: string): boolean {
  return LOOPBACK.test(address);
}

/** Whether a deployment is for this machine only: nothing in its configuration makes it reachable from others. */
export function isLocalOnly({ bind, publicUrl, trustedProxies }: AccessPolicy): boolean {
  return isLoopback(bind) && (publicUrl === null || isLoopback(publicUrl.hostname)) && trustedProxies.length === 0;
}

/**
 * Returns the path under which the deployment is served, without a slash at its end. Empty at the root of a host.
 *
 * @example
 * basePath({ publicUrl: new URL('https://host.example/recollect') }); // '/recollect'
 */
export function basePath({ publicUrl }: Pick<AccessPolicy, 'publicUrl'>): string {
  return publicUrl?.pathname.replace(/\/$/, '') ?? '';
}

/** Returns the public URL as a base of addresses, without a slash at its end. Null without a public URL. */
export function publicBaseUrl({ publicUrl }: Pick<AccessPolicy, 'publicUrl'>): string | null {
  return publicUrl && publicUrl.origin + basePath({ publicUrl });
}

/** First segments of the server's own paths. A base path that began with one could not be told from them. */
const OWN_SEGMENTS = [
  'api',
  'assets',
  'docs',
  'everything',
  'healthz',
  'highlights',
  'manifest.webmanifest',
  'memory',
  'metrics',
  'openapi.json',
  'public',
  'readyz',
  'save',
  'service-worker.js',
  'settings',
  'shared',
  'sign-in',
  'tags',
  'trash',
];

/** Whether a base path begins like a path of the server itself. */
export function isOwnPath(path: string): boolean {
  return OWN_SEGMENTS.includes(path.split('/')[1] ?? '');
}

/** Browsers use `chrome-extension:`, `moz-extension:` and, with an uppercase id, `safari-web-extension:`. */
const EXTENSION = /^[a-z][a-z-]{0,30}-extension:\/\/[0-9A-Za-z-]{1,64}$/;

/** Whether an origin belongs to a browser extension. */
export function isExtensionOrigin(origin: string): boolean {
  return EXTENSION.test(origin);
}

const HOST = /^(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

/** Whether a text is only a host name or address with an optional port: no user, no path, no white space. */
export function isHost(text: string): boolean {
  return HOST.test(text);
}
