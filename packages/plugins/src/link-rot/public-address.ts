import { lookup as resolve } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

export type IsAllowedAddress = (address: string) => boolean;

/** Whether a host with these addresses may be connected to. */
export type IsAllowedHost = (addresses: readonly string[], host: string) => boolean;

/** An address that must not be connected to. */
export class RefusedAddressError extends Error {
  override readonly name = 'RefusedAddressError';
}

/** Whether an address is on the public internet, not in a loopback, private or other special range. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  // IPv4-compatible addresses are of the IPv4 host that they contain.
  return !(parsed instanceof ipaddr.IPv6 && parsed.match(IPV4_COMPATIBLE));
}

const IPV4_COMPATIBLE = ipaddr.IPv6.parseCIDR('::/96');

/**
 * Throws {@link RefusedAddressError} if a host is written as an address that must not be connected to. Node looks such
 * a host up nowhere, so that {@link createGuardedLookup} does not see it.
 */
export function demandAllowedHost(host: string, isAllowed: IsAllowedHost = isPublicHost): void {
  const address = host.replace(/^\[(.*)\]$/, '$1');
  if (isIP(address) !== 0 && !isAllowed([address], host)) throw inPrivateNetwork();
}

/** One private address is enough to refuse a name: public names have none. */
export const isPublicHost: IsAllowedHost = (addresses) => addresses.every(isPublicAddress);

/**
 * A DNS lookup, for sockets and requests of Node, that fails for names with addresses that must not be connected to.
 * Node connects to the addresses that it returns, so that no second answer leads elsewhere.
 */
export function createGuardedLookup(isAllowed: IsAllowedHost = isPublicHost): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, '');
      const addresses = found.map(({ address }) => address);
      if (addresses.length === 0 || !isAllowed(addresses, hostname)) return callback(inPrivateNetwork(), '');
      const [first] = found;
      if (options.all) callback(null, found);
      else callback(null, first?.address ?? '', first?.family);
    });
  };
}

function inPrivateNetwork(): RefusedAddressError {
  return new RefusedAddressError('It is in a private network.');
}
