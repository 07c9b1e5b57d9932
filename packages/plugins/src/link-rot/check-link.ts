import { lookup as resolve } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** `alive`: it answers. `dead`: it is gone. `unreachable`: no answer, perhaps temporarily. `refused`: not requested. */
export type Verdict = { kind: 'alive' | 'dead' | 'unreachable' | 'refused'; reason: string };

export interface CheckOptions {
  signal: AbortSignal;
  /** Whether connecting to an address is allowed. Default: public addresses only. */
  isAllowedAddress?: (address: string) => boolean;
  timeoutMs?: number;
}

const REDIRECTS = 5;
const GONE = [404, 410];

/** Whether an address is on the public internet, not in a loopback, private or other special range. */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  return ipaddr.process(address).range() === 'unicast';
}

class RefusedError extends Error {
  override readonly name = 'RefusedError';
}

/**
 * Checks with HEAD requests whether a page still exists, following redirects. Resolves names first, checks the
 * addresses found and connects to exactly those, so that no name, redirect or second DNS answer leads elsewhere.
 *
 * @example
 * const { kind, reason } = await checkLink('https://example.org/', { signal }); // 'alive', 'It answers 200.'
 */
export async function checkLink(url: string, options: CheckOptions): Promise<Verdict> {
  let target = new URL(url);
  try {
    for (let hop = 0; hop <= REDIRECTS; hop++) {
      const { status, location } = await head(target, options);
      if (GONE.includes(status)) return { kind: 'dead', reason: `It answers ${status}.` };
      if (status < 300 || status >= 400 || location === null) return { kind: 'alive', reason: `It answers ${status}.` };
      if (!URL.canParse(location, target.href)) return { kind: 'alive', reason: 'It redirects to an invalid URL.' };
      target = new URL(location, target);
    }
    return { kind: 'unreachable', reason: `It redirects more than ${REDIRECTS} times.` };
  } catch (error) {
    if (error instanceof RefusedError) return { kind: 'refused', reason: error.message };
    const { code = 'no answer' } = error as NodeJS.ErrnoException;
    if (code === 'ENOTFOUND') return { kind: 'unreachable', reason: 'Its host name no longer resolves.' };
    return { kind: 'unreachable', reason: `It cannot be reached (${code}).` };
  }
}

async function head(
  url: URL,
  { signal, isAllowedAddress = isPublic, timeoutMs = 10_000 }: CheckOptions,
): Promise<{ status: number; location: string | null }> {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new RefusedError('It is neither http nor https.');
  // For an IP address Node skips the lookup, and with it the check there.
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(host) !== 0 && !isAllowedAddress(host)) throw new RefusedError('It is in a private network.');
  // Loaded here: an import of node:http takes 15 ms, which each process that lists the plugins would pay.
  const { request } = url.protocol === 'https:' ? await import('node:https') : await import('node:http');
  return new Promise((settle, reject) => {
    const sent = request(
      url,
      {
        method: 'HEAD',
        agent: false,
        headers: { 'user-agent': 'Recollect link-rot (checks links of its user by HEAD)', accept: '*/*' },
        lookup: createGuardedLookup(isAllowedAddress),
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      },
      (response) => {
        response.resume();
        settle({ status: response.statusCode ?? 0, location: response.headers.location ?? null });
        sent.destroy();
      },
    );
    sent.on('error', reject);
    sent.end();
  });
}

/** A DNS lookup that fails for names with addresses that must not be connected to. */
function createGuardedLookup(isAllowedAddress: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, '');
      // One private address is enough to refuse a name: public names have none.
      if (found.length === 0 || !found.every(({ address }) => isAllowedAddress(address))) {
        return callback(new RefusedError('It is in a private network.'), '');
      }
      const [first] = found;
      if (options.all) callback(null, found);
      else callback(null, first?.address ?? '', first?.family);
    });
  };
}
