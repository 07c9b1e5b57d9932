import {
  createGuardedLookup,
  demandAllowedHost,
  type IsAllowedAddress,
  isPublicAddress,
} from '@recollect/plugins/public-address';
import { Agent, buildConnector, fetch } from 'undici';
import type { Fetch } from './fetch-page.js';

/**
 * A `fetch` that connects to the public internet only, also when it follows a redirect: whoever wrote a list of links may have meant
 * the devices of someone's home. Fails with a RefusedAddressError as the cause.
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
