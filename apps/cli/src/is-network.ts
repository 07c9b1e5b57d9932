import { isIP } from 'node:net';

/** Whether a text is an address, or a network in CIDR notation of at most the size of a private one. */
export function isNetwork(network: string): boolean {
  const [address = '', length, ...rest] = network.split('/');
  const [least, bits] = isIP(address) === 4 ? [8, 32] : [7, 128];
  const isLength =
    length === undefined || (/^\d{1,3}$/.test(length) && Number(length) >= least && Number(length) <= bits);
  const isPlain = isIP(address) === 4 || (isIP(address) === 6 && !/^::ffff:/i.test(address));
  return isPlain && isLength && rest.length === 0;
}
