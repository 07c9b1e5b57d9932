import type { IncomingMessage } from 'node:http';
import { isLoopback } from '../access-policy.js';

/** Headers that proxies and tunnels add to forwarded requests. */
const FORWARDING =
  /^(?:forwarded|via|cdn-loop|front-end-https|(?:x-)?(?:true-|real-|cluster-|proxy-|wl-proxy-|incap-|do-)?(?:client|connecting)-ip|x-(?:real|remote|proxyuser|originating)-(?:ip|addr)|x-(?:url-)?scheme|x-forwarded(?:-.+)?|x-(?:original|envoy|azure|appengine|arr|amzn)-.+|(?:cf|fly|fastly|tailscale)-.+)$/;

/**
 * Whether a request comes over the loopback interface, and not through a proxy. Proxies that forward nothing about
 * their client use HTTP/1.0, which no other client still uses.
 */
export function isDirect({ socket, httpVersion, headers }: IncomingMessage): boolean {
  return (
    isLoopback(socket.remoteAddress ?? '') &&
    httpVersion === '1.1' &&
    !Object.keys(headers).some((name) => FORWARDING.test(name))
  );
}
