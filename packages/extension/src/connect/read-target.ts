import { parseUrl } from '@recollect/contract/text';

/** A deployment and a pairing code. */
export interface PairingTarget {
  baseUrl: string;
  code: string;
}

/**
 * Reads what the user typed: a link from *Settings → Connect*, or an address and a code. Null if it names no server.
 *
 * @example
 * readTarget('https://host.example/recollect/#pair=7K3M-Q9ZT-0VXA', '');
 * // { baseUrl: 'https://host.example/recollect', code: '7K3M-Q9ZT-0VXA' }
 */
export function readTarget(address: string, code: string): PairingTarget | null {
  const trimmed = address.trim();
  const url = parseUrl(/^[a-z]+:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  const [, linked] = /^#pair=(.+)$/.exec(url.hash) ?? [];
  return { baseUrl: url.origin + url.pathname.replace(/\/$/, ''), code: code.trim() || (linked ?? '') };
}
