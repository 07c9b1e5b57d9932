import {
  createGuardedLookup,
  demandAllowedHost,
  type IsAllowedAddress,
  isPublicAddress,
  RefusedAddressError,
} from './public-address.js';

/** `alive`: it answers. `dead`: it is gone. `unreachable`: no answer, perhaps temporarily. `refused`: not requested. */
export type Verdict = { kind: 'alive' | 'dead' | 'unreachable' | 'refused'; reason: string };

export interface CheckOptions {
  signal: AbortSignal;
  /** Whether connecting to an address is allowed. Default: public addresses only. */
  isAllowedAddress?: IsAllowedAddress;
  timeoutMs?: number;
}

const MAX_REDIRECTS = 5;
const GONE = [404, 410];

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
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
      const { status, location } = await head(target, options);
      if (GONE.includes(status)) return { kind: 'dead', reason: `It answers ${status}.` };
      if (status < 300 || status >= 400 || location === null) return { kind: 'alive', reason: `It answers ${status}.` };
      const next = URL.parse(location, target.href);
      if (next === null) return { kind: 'alive', reason: 'It redirects to an invalid URL.' };
      target = next;
    }
    return { kind: 'unreachable', reason: `It redirects more than ${MAX_REDIRECTS} times.` };
  } catch (error) {
    if (error instanceof RefusedAddressError) return { kind: 'refused', reason: error.message };
    const { code = 'no answer' } = error as NodeJS.ErrnoException;
    if (code === 'ENOTFOUND') return { kind: 'unreachable', reason: 'Its host name no longer resolves.' };
    return { kind: 'unreachable', reason: `It cannot be reached (${code}).` };
  }
}

async function head(
  url: URL,
  { signal, isAllowedAddress = isPublicAddress, timeoutMs = 10_000 }: CheckOptions,
): Promise<{ status: number; location: string | null }> {
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new RefusedAddressError('It is neither http nor https.');
  const isAllowedHost = (addresses: readonly string[]) => addresses.every(isAllowedAddress);
  demandAllowedHost(url.hostname, isAllowedHost);
  // Loaded here: an import of node:http takes 15 ms, which each process that lists the plugins would pay.
  const { request } = url.protocol === 'https:' ? await import('node:https') : await import('node:http');
  return new Promise((settle, reject) => {
    const sent = request(
      url,
      {
        method: 'HEAD',
        agent: false,
        headers: { 'user-agent': 'Recollect link-rot (checks links of its user by HEAD)', accept: '*/*' },
        lookup: createGuardedLookup(isAllowedHost),
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
