import { limits } from '@recollect/contract';
import { valuesOf } from './raw-header.js';

const DAY_SECONDS = 86_400;

/** On HTTPS, the prefix keeps other hosts and other paths from setting the cookie (RFC 6265bis). */
function nameOf(isSecure: boolean): string {
  return isSecure ? '__Host-recollect' : 'recollect';
}

/**
 * The session token of a request (SEC-19). Null if there is none, or if there are several: another server on the same
 * host can add a cookie of the same name, and nothing says which one is ours.
 */
export function readSessionCookie(rawHeaders: readonly string[], isSecure: boolean): string | null {
  const name = nameOf(isSecure);
  const tokens = valuesOf(rawHeaders, 'cookie')
    .flatMap((header) => header.split(';'))
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  const [token] = tokens;
  return token === undefined || tokens.length > 1 ? null : token;
}

/** The Set-Cookie header for a token; null removes the cookie. */
export function sessionCookie(token: string | null, isSecure: boolean): string {
  const age = token === null ? 0 : limits.sessions.days * DAY_SECONDS;
  const secure = isSecure ? '; Secure' : '';
  return `${nameOf(isSecure)}=${token ?? ''}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Strict${secure}`;
}
