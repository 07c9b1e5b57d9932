import {
  createGuardedLookup,
  demandAllowedHost,
  type IsAllowedHost,
  isPublicAddress,
  isPublicHost,
} from '@recollect/plugins/public-address';
import { Agent, buildConnector, fetch } from 'undici';
import type { Fetch } from './fetch-page.js';

/**
 * A `fetch` that connects only to the public internet, even when it follows a redirect: a list of links from someone
 * else must not make it request devices in the user's home. If an address is refused, the cause of the error is a
 * RefusedAddressError.
 */
export function createPublicFetch(isAllowed: IsAllowedHost = isPublicHost): Fetch {
  const connect = buildConnector({ lookup: createGuardedLookup(isAllowed) });
  const dispatcher = new Agent({
    connect: (options, callback) => {
      try {
        demandAllowedHost(options.hostname, isAllowed);
      } catch (error) {
        return callback(error as Error, null);
      }
      connect(options, callback);
    },
  });
  return (url, init) => fetch(url, { ...init, dispatcher });
}

/**
 * A `fetch` for an address that the user typed. Its host may be in a private network. A redirect may lead to the public
 * internet or back to the typed host. A later lookup of that host may not add private addresses.
 */
export function createTypedFetch(typed: string): Fetch {
  const { hostname } = new URL(typed);
  let own: readonly string[] | null = null;
  return createPublicFetch((addresses, host) => {
    if (host !== hostname) return isPublicHost(addresses, host);
    own ??= addresses.filter((address) => !isPublicAddress(address));
    return addresses.every((address) => isPublicAddress(address) || own?.includes(address));
  });
}
