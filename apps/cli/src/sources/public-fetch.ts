import {
  createGuardedLookup,
  demandAllowedHost,
  type IsAllowedAddress,
  isPublicAddress,
} from '@recollect/plugins/public-address';
import { Agent, buildConnector, fetch } from 'undici';
import type { Fetch } from './fetch-page.js';

/**
 * A `fetch` that connects only to the public internet, even when it follows a redirect: a list of links from someone else must not
 * make it request devices in the user's home. If an address is refused, the cause of the error is a RefusedAddressError.
 */
export function createPublicFetch(isAllowed: IsAllowedAddress = isPublicAddress): Fetch {
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
