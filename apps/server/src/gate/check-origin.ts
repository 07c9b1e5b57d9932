import { RecollectError } from '@recollect/core';
import type { AccessPolicy } from '../access-policy.js';

/**
 * SEC-3: the origin that a browser names must be on the list, and a request that a browser marks as coming from another
 * site must name one. Returns the listed origin, or null for a request that names none.
 */
export function checkOrigin(rawHeaders: readonly string[], port: number, policy: AccessPolicy): string | null {
  const valuesOf = (name: string) =>
    rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name);
  const origins = valuesOf('origin');
  const [origin] = origins;
  if (origin !== undefined) {
    if (origins.length === 1 && allowedOrigins(port, policy).has(origin)) return origin;
    throw notAllowed();
  }
  if (valuesOf('sec-fetch-site').some((site) => site !== 'same-origin' && site !== 'none')) throw notAllowed();
  return null;
}

function allowedOrigins(port: number, { publicUrl, allowedHosts, allowedOrigins: further }: AccessPolicy): Set<string> {
  const suffix = port === 80 ? '' : `:${port}`;
  const own = ['127.0.0.1', 'localhost', '[::1]'].map((name) => `http://${name}${suffix}`);
  const named = allowedHosts.map((name) => `http://${/:\d+$/.test(name) ? name : name + suffix}`);
  return new Set([...own, ...named, ...(publicUrl === null ? [] : [publicUrl.origin]), ...further]);
}

function notAllowed(): RecollectError {
  return new RecollectError(
    'ORIGIN_NOT_ALLOWED',
    'This web page may not use the service. Its owner can allow the origin with RECOLLECT_ALLOWED_ORIGINS.',
  );
}
