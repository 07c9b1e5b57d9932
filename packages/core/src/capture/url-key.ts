import { parseUrl } from '@recollect/contract/text';
import { routeOf } from './route-of.js';

const TRACKING =
  /^(utm_.+|fbclid|gclid|gclsrc|dclid|gbraid|wbraid|msclkid|yclid|twclid|ttclid|li_fat_id|igshid|mc_cid|mc_eid|mkt_tok|_ga|_gl|_hsenc|_hsmi|vero_id|oly_enc_id|oly_anon_id|wickedid|s_cid|ref_src)$/i;

/**
 * A URL without tracking parameters and without its fragment, unless that is a route (CAP-12): these do not identify a
 * page. Null for an invalid URL.
 *
 * @example
 * urlKey('https://a.example/x?utm_source=mail&p=1#top'); // 'https://a.example/x?p=1'
 */
export function urlKey(url: string): string | null {
  const parsed = parseUrl(url);
  if (parsed === null) return null;
  parsed.hash = routeOf(parsed) ?? '';
  // Filtered as text, because URLSearchParams would re-encode the parameters that stay.
  const parameters = parsed.search.slice(1).split('&');
  const kept = parameters.filter((parameter) => !TRACKING.test(parameter.split('=')[0] ?? '')).join('&');
  parsed.search = kept === '' ? '' : `?${kept}`;
  return parsed.href;
}
