const TRACKING =
  /^(utm_.+|fbclid|gclid|gclsrc|dclid|gbraid|wbraid|msclkid|yclid|twclid|ttclid|li_fat_id|igshid|mc_cid|mc_eid|mkt_tok|_ga|_gl|_hsenc|_hsmi|vero_id|oly_enc_id|oly_anon_id|wickedid|s_cid|ref_src)$/i;

/** A URL without what does not tell pages apart: fragment and tracking parameters (CAP-12). Null when it is no URL. */
export function urlKey(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const parsed = new URL(url);
  parsed.hash = '';
  // Parameter by parameter as text: URLSearchParams would write those that stay in another way.
  const parameters = parsed.search.slice(1).split('&');
  const kept = parameters.filter((parameter) => !TRACKING.test(parameter.split('=')[0] ?? '')).join('&');
  parsed.search = kept === '' ? '' : `?${kept}`;
  return parsed.href;
}

/** The host of a URL without a leading `www.`. */
export function siteOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, '') : null;
}

/**
 * The site that a person means: a host, with or without a port, in any script, or an address. As in {@link siteOf}; null for
 * what is no host.
 *
 * @example
 * readSite('https://www.bücher.example:8443/path') // 'xn--bcher-kva.example'
 */
export function readSite(text: string): string | null {
  const address = text.trim().replace(/^\*?\.(?=[^.])/, '');
  return siteOf(/^https?:\/\//i.test(address) ? address : `http://${address}`) || null;
}
