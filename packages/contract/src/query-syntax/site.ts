import { parseUrl } from '../text/parse-url.js';

/** The host of a URL without a leading `www.`, which is the site of a memory. Null for an invalid URL. */
export function siteOf(url: string): string | null {
  return parseUrl(url)?.hostname.replace(/^www\./, '') ?? null;
}

/**
 * Reads a site that a person typed: a host in any script, with or without a port, or a URL. Returns it in the form of
 * {@link siteOf}, or null if it is not a host.
 *
 * @example
 * readSite('https://www.bücher.example:8443/path') // 'xn--bcher-kva.example'
 */
export function readSite(text: string): string | null {
  const address = text.trim().replace(/^\*?\.(?=[^.])/, '');
  return siteOf(/^https?:\/\//i.test(address) ? address : `http://${address}`) || null;
}
