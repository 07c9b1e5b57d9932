import { isIP } from 'node:net';
import {
  type AccessPolicy,
  isExtensionOrigin,
  isHost,
  isLoopback,
  isOwnPath,
  type ProviderPolicy,
  SYSTEMD_SOCKET,
  unixPathOf,
} from '@recollect/server/access-policy';
import { isNetwork } from './is-network.js';
import { ConfigurationError, checkHostName, type Read, readChoice, readList, readUrl } from './read-setting.js';

/** Reads who may use the server, and where it listens. Throws {@link ConfigurationError}. */
export function readPolicy(read: Read): AccessPolicy {
  const bind = readBind(read);
  const auth = readChoice('AUTH', read('AUTH'), ['optional', 'required']) ?? 'optional';
  if (isOpen(bind) && auth !== 'required') {
    throw new ConfigurationError(
      'RECOLLECT_HOST opens Recollect to the network. Set RECOLLECT_AUTH=required as well, or unset RECOLLECT_HOST.',
    );
  }
  const policy: AccessPolicy = {
    bind,
    auth,
    publicUrl: readPublicUrl(read('PUBLIC_URL')),
    allowedHosts: readList(read('ALLOWED_HOSTS')).map((name) => checkHostName('ALLOWED_HOSTS', name)),
    allowedOrigins: readList(read('ALLOWED_ORIGINS')).map(checkOriginName),
    trustedProxies: readList(read('TRUSTED_PROXIES')).map(checkNetwork),
    limitsRequests: readChoice('RATE_LIMIT', read('RATE_LIMIT'), ['on', 'off']) !== 'off',
    publicPages: readChoice('PUBLIC_PAGES', read('PUBLIC_PAGES'), ['on', 'off']) !== 'off',
    accounts: {
      isOn: readChoice('ACCOUNTS', read('ACCOUNTS'), ['off', 'on']) === 'on',
      provider: readProvider(read),
    },
  };
  if (!policy.limitsRequests && !isLoopback(bind)) {
    throw new ConfigurationError(
      'RECOLLECT_RATE_LIMIT=off is only for load tests on this machine. Unset RECOLLECT_HOST or RECOLLECT_RATE_LIMIT.',
    );
  }
  return policy;
}

/** The provider of identities. Null without one. */
function readProvider(read: Read): ProviderPolicy | null {
  const issuer = readUrl('OIDC_ISSUER', read('OIDC_ISSUER'));
  const clientId = read('OIDC_CLIENT_ID');
  const signsUp = readChoice('SIGN_UP', read('SIGN_UP'), ['off', 'on']) === 'on';
  if (issuer === null) {
    const other = ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_NAME', 'OIDC_ROLE_CLAIM'].find(
      (name) => read(name) !== undefined,
    );
    if (other === undefined && !signsUp) return null;
    throw new ConfigurationError(`RECOLLECT_${other ?? 'SIGN_UP'} needs RECOLLECT_OIDC_ISSUER as well.`);
  }
  if (clientId === undefined)
    throw new ConfigurationError('RECOLLECT_OIDC_ISSUER needs RECOLLECT_OIDC_CLIENT_ID as well.');
  if (issuer.protocol !== 'https:' && !isLoopback(issuer.hostname))
    throw new ConfigurationError('RECOLLECT_OIDC_ISSUER must be an HTTPS address.');
  return {
    issuer,
    clientId,
    clientSecret: read('OIDC_CLIENT_SECRET') ?? null,
    name: read('OIDC_NAME') ?? issuer.hostname,
    roleClaim: read('OIDC_ROLE_CLAIM') ?? null,
    signsUp,
  };
}

/** Whether other machines can reach an address. A socket of systemd is judged when it is opened. */
function isOpen(bind: string): boolean {
  return bind !== SYSTEMD_SOCKET && unixPathOf(bind) === null && !isLoopback(bind);
}

function readBind(read: Read): string {
  const target = read('LISTEN');
  if (target !== undefined) return readListen(target, read);
  // `localhost` may resolve to two addresses, and two servers would share one set of limits.
  const bind = (read('HOST') ?? '127.0.0.1').replace(/^\[(.*)\]$/, '$1').replace(/^localhost$/i, '127.0.0.1');
  if (isIP(bind) !== 0 || isHost(bind)) return bind;
  throw new ConfigurationError(
    'RECOLLECT_HOST must be an address such as 127.0.0.1 or 0.0.0.0, or a host name, with no wildcard.',
  );
}

/** Bytes of the longest path that every system accepts for a Unix socket. */
const MAX_SOCKET_PATH = 103;

function readListen(target: string, read: Read): string {
  const other = ['HOST', 'PORT'].find((name) => read(name) !== undefined);
  if (other !== undefined) throw new ConfigurationError(`Set RECOLLECT_LISTEN or RECOLLECT_${other}, not both.`);
  if (target === SYSTEMD_SOCKET) return target;
  const path = unixPathOf(target);
  if (path === null || !path.startsWith('/')) {
    throw new ConfigurationError(
      'RECOLLECT_LISTEN must be systemd, or unix: and the full path of a socket, such as unix:/run/recollect/http.sock.',
    );
  }
  if (process.platform === 'win32') {
    throw new ConfigurationError('Windows has no Unix sockets. Unset RECOLLECT_LISTEN, and set RECOLLECT_PORT.');
  }
  if (Buffer.byteLength(path) > MAX_SOCKET_PATH) {
    throw new ConfigurationError(
      `The path in RECOLLECT_LISTEN is longer than ${MAX_SOCKET_PATH} bytes. Choose a shorter one.`,
    );
  }
  return target;
}

/** Throws {@link ConfigurationError} unless the value is a port. */
export function readPort(value: string | undefined): number {
  const port = Number(value ?? 4545);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new ConfigurationError('RECOLLECT_PORT must be a whole number from 0 to 65535.');
}

/** A scheme, a host and plain segments: no user, query, fragment, escape, `..` or empty segment. */
const PUBLIC_URL = /^https?:\/\/[^/\\@?#]+(?:\/(?!\.\.?(?:\/|$))[\w.~-]+)*\/?$/i;

function readPublicUrl(value: string | undefined): URL | null {
  const url = readUrl('PUBLIC_URL', value);
  if (url === null || value === undefined) return null;
  if (!PUBLIC_URL.test(value))
    throw new ConfigurationError(
      'RECOLLECT_PUBLIC_URL must be a host, with or without a plain path, such as https://host.example/recollect.',
    );
  if (isOwnPath(url.pathname))
    throw new ConfigurationError(
      'RECOLLECT_PUBLIC_URL has a path that begins like a page of the server. Use another one, such as /recollect.',
    );
  return new URL(value.replace(/\/$/, ''));
}

function checkOriginName(name: string): string {
  const url = URL.parse(name);
  if (!name.includes('*') && url !== null && (url.origin === name || isExtensionOrigin(name))) return name;
  throw new ConfigurationError(
    'RECOLLECT_ALLOWED_ORIGINS must be origins such as https://notes.example, separated by commas, with no wildcard.',
  );
}

function checkNetwork(network: string): string {
  if (isNetwork(network)) return network;
  throw new ConfigurationError(
    'RECOLLECT_TRUSTED_PROXIES must be addresses such as 127.0.0.1 or networks like 10.1.0.0/16, comma-separated, no wildcard.',
  );
}
