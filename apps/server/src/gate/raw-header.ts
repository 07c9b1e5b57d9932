import type { IncomingMessage } from 'node:http';
import { type AccessPolicy, isLoopback, unixPathOf } from '../access-policy.js';

/**
 * Every value of a header as it was sent; Node's own list joins some repeated headers and drops others. `rawHeaders`
 * are names and values in turn.
 */
export function valuesOf(rawHeaders: readonly string[], name: string): string[] {
  const values: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() === name) values.push(rawHeaders[at + 1] ?? '');
  }
  return values;
}

/** Headers that proxies and tunnels add to forwarded requests. */
const FORWARDING =
  /^(?:forwarded|via|cdn-loop|front-end-https|(?:x-)?(?:true-|real-|cluster-|proxy-|wl-proxy-|incap-|do-)?(?:client|connecting)-ip|x-(?:real|remote|proxyuser|originating)-(?:ip|addr)|x-(?:url-)?scheme|x-forwarded(?:-.+)?|x-(?:original|envoy|azure|appengine|arr|amzn)-.+|(?:cf|fly|fastly|tailscale)-.+)$/;

/**
 * Whether a request comes over the loopback interface or the server's Unix socket, and not through a proxy. Proxies
 * that forward nothing about their client use HTTP/1.0, which no other client still uses.
 */
export function isDirect(
  { socket, httpVersion, headers }: IncomingMessage,
  { bind }: Pick<AccessPolicy, 'bind'>,
): boolean {
  return (
    (unixPathOf(bind) !== null || isLoopback(socket.remoteAddress ?? '')) &&
    httpVersion === '1.1' &&
    !Object.keys(headers).some((name) => FORWARDING.test(name))
  );
}
