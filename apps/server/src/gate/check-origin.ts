import { extensionOrigin } from '@recollect/contract';
import { RecollectError } from '@recollect/core';
import { type AccessPolicy, isExtensionOrigin, isLoopback, unixPathOf } from '../access-policy.js';

import { valuesOf } from './raw-header.js';

/**
 * The sender of a request, according to the headers that browsers add:
 * - `program`: not a browser
 * - `own`: a page of this deployment
 * - `navigation`: a typed address or a bookmark
 * - `extension`: the extension that ships with Recollect
 * - `listed`: an origin that the configuration allows
 * - `stranger`: another extension, which needs a key
 * - `unmarked`: a program or a browser, since browsers add these headers only for loopback names and https
 */
export type Sender = 'program' | 'own' | 'navigation' | 'extension' | 'listed' | 'stranger' | 'unmarked';

export interface Origin {
  sender: Sender;
  /** The origin to echo; null if none was sent or if it is a stranger's. */
  echo: string | null;
  /** Whether it is a browser extension, ours or another. */
  isExtension: boolean;
}

/**
 * SEC-3, SEC-5: an Origin header must be on the list, and a request that a browser marks as coming from another site
 * must have one. SEC-17: without an Origin, the GETs of an extension with permission for this host differ from the GETs
 * of an address bar only in their mode. `served` is the origin that this request was sent to.
 * `allowsCrossSiteNavigation` admits a window that another site opened.
 */
export function checkOrigin(
  rawHeaders: readonly string[],
  list: AllowList,
  served: string,
  allowsCrossSiteNavigation = false,
): Origin {
  const origins = valuesOf(rawHeaders, 'origin');
  const [origin] = origins;
  if (origins.length > 1) throw originNotAllowed();
  if (origin !== undefined) return classifyOrigin(origin, list, served);
  const [site, ...others] = valuesOf(rawHeaders, 'sec-fetch-site');
  // Node's fetch sends a mode but no site; browsers send both or neither.
  if (site === undefined) return silent(isLoopback(new URL(served).hostname) ? 'program' : 'unmarked');
  if (site === 'same-origin' && others.length === 0) return silent('own');
  const modes = valuesOf(rawHeaders, 'sec-fetch-mode');
  if (allowsCrossSiteNavigation && isTopLevelNavigation(modes, valuesOf(rawHeaders, 'sec-fetch-dest')))
    return silent('navigation');
  if (site !== 'none' || others.length > 0) throw originNotAllowed();
  return silent(modes.every((mode) => mode === 'navigate') ? 'navigation' : 'stranger');
}

/** A sender whose request has no Origin. */
function silent(sender: Sender): Origin {
  return { sender, echo: null, isExtension: false };
}

/** Whether the request loads a whole window, not a frame, picture or script. */
function isTopLevelNavigation(modes: readonly string[], destinations: readonly string[]): boolean {
  return modes.join() === 'navigate' && destinations.join() === 'document';
}

function classifyOrigin(origin: string, list: AllowList, served: string): Origin {
  if (list.ownOrigins.has(origin) || origin === served) return { sender: 'own', echo: origin, isExtension: false };
  if (origin === extensionOrigin) return { sender: 'extension', echo: origin, isExtension: true };
  const isExtension = isExtensionOrigin(origin);
  if (list.otherOrigins.has(origin)) return { sender: 'listed', echo: origin, isExtension };
  if (isExtension) return { sender: 'stranger', echo: null, isExtension };
  throw originNotAllowed();
}

/**
 * SEC-19: whether a request has the Origin of the very page that its address belongs to. Other names and ports of this
 * deployment are other origins, and so is plain HTTP at a public address of HTTPS, which anyone on the network can
 * answer.
 */
export function hasOwnOrigin({ echo }: Origin, served: string, publicUrl: URL | null): boolean {
  if (echo === null) return false;
  if (echo === publicUrl?.origin) return true;
  return echo === served && new URL(served).host !== publicUrl?.host;
}

export function originNotAllowed(): RecollectError {
  return new RecollectError(
    'ORIGIN_NOT_ALLOWED',
    'This web page or extension is not allowed. Add its origin to RECOLLECT_ALLOWED_ORIGINS, or give an extension an API key.',
  );
}

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
  const bound =
    WILDCARD_ADDRESSES.includes(bind) || unixPathOf(bind) !== null ? [] : [bind.includes(':') ? `[${bind}]` : bind];
  const ownHosts = [...OWN_NAMES, ...bound].map((name) => `${name}:${port}`);
  const hosts = [...ownHosts, ...allowedHosts, ...allowedHosts.flatMap(withPort)].map((host) => host.toLowerCase());
  const origins = [...ownHosts, ...allowedHosts.flatMap(withPort)].map((host) => `http://${host.toLowerCase()}`);
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
