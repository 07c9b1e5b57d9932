import ipaddr from 'ipaddr.js';
import { type AccessPolicy, SYSTEMD_SOCKET, unixPathOf } from './access-policy.js';

/**
 * The peers whose `X-Forwarded-*` headers are believed, as Fastify asks for them: by address, which a peer at a Unix
 * socket does not have. False if there are none.
 */
export function trustedPeers(policy: AccessPolicy): false | string[] | ((address: string | undefined) => boolean) {
  const { bind, trustedProxies } = policy;
  const mayBeUnix = unixPathOf(bind) !== null || bind === SYSTEMD_SOCKET;
  if (!mayBeUnix) return trustedProxies.length === 0 ? false : [...trustedProxies];
  const networks = trustedProxies.map(readNetwork);
  return (address) => {
    // Which kind of socket systemd has opened is known once it is opened.
    if (address === undefined) return unixPathOf(policy.bind) !== null;
    const peer = ipaddr.isValid(address) ? ipaddr.process(address) : null;
    return networks.some(([network, bits]) => peer?.kind() === network.kind() && peer.match(network, bits));
  };
}

/** The first address of a network and the bits that its addresses share. */
function readNetwork(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.process(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}
