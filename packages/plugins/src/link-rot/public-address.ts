import { lookup as resolve } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

export type IsAllowedAddress = (address: string) => boolean;

/** An address that must not be connected to. */
export class RefusedAddressError extends Error {
  override readonly name = 'RefusedAddressError';
}

/** Whether an address is on the public internet, not in a loopback, private or other special range. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  return ipaddr.process(address).range() === 'unicast';
}

/**
 * Throws {@link RefusedAddressError} if a host is written as an address that must not be connected to. Node looks such a host up
 * nowhere, so that {@link createGuardedLookup} does not see it.
 */
export function demandAllowedHost(host: string, isAllowed: IsAllowedAddress = isPublicAddress): void {
  const address = host.replace(/^\[(.*)\]$/, '$1');
  if (isIP(address) !== 0 && !isAllowed(address)) throw inPrivateNetwork();
}

/**
 * A DNS lookup, for sockets and requests of Node, that fails for names with addresses that must not be connected to. Node connects to
 * the addresses that it returns, so that no second answer leads elsewhere.
 */
export function createGuardedLookup(isAllowed: IsAllowedAddress = isPublicAddress): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, '');
      // One private address is enough to refuse a name: public names have none.
      if (found.length === 0 || !found.every(({ address }) => isAllowed(address))) {
        return callback(inPrivateNetwork(), '');
      }
      const [first] = found;
      if (options.all) callback(null, found);
      else callback(null, first?.address ?? '', first?.family);
    });
  };
}

function inPrivateNetwork(): RefusedAddressError {
  return new RefusedAddressError('It is in a private network.');
}
